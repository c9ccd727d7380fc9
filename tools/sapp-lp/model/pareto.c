/* Pareto fronts of mixes: built layer by layer for one body, then body by body. */
#include "pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "picks.h"
#include "tuning.h"

enum {
	FRONT_MIN = 64,		/* minimum size of thinned fronts, */
	ALL_MIXES = 2000000,	/* approximate total number of mixes in all fronts, at up to tuning.front_mixes each */
	LISTED_SETS = 6,	/* estimated number of sets of kinds with layer_fronts, per two chains of kinds */
	/* number of mixes on either side of a corner that are used for sums of two large fronts */
	BAND = 2,
};

/* Fronts of 0, 1, 2 and more layers of one body by the kinds in KINDS. Their counts have RECOMPUTE_KINDS entries. */
struct layer_fronts {
	unsigned kinds;
	int n;
	struct pareto_front *front;
};
struct body_fronts {		/* fronts of a body, one list for each requested set of kinds */
	int n;
	struct layer_fronts *at;
};

void
pareto_front_free(struct pareto_front *f)
{
	free(f->mix);
	free(f->count);
	*f = (struct pareto_front){ 0 };
}

static struct pareto_front
pareto_front_new(int n, int width)
{
	struct pareto_front f = { .n = n, .mix = xcalloc((size_t)n, sizeof *f.mix),
		.count = xcalloc((size_t)n * (size_t)width, sizeof *f.count) };

	for (int i = 0; i < n; i++)
		f.mix[i].count = f.count + (size_t)i * (size_t)width;
	return f;
}

static int
most_mixes(const struct pareto *f)
{
	return (int)fmin(f->most, tuning.front_mixes);
}

/* Return the front of one more layer: each mix of the front BELOW, plus a layer of each kind in KINDS. */
static struct pareto_front
add_layer(const struct pareto *maker, const struct body *body, unsigned kinds, const struct pareto_front *below)
{
	struct picks l = { .waits = maker->net->link > 0 };
	struct pareto_front f;
	bool thinned;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		for (int i = 0; i < below->n && (kinds >> k & 1); i++)
			picks_add(&l, (struct pick){ .activation = below->mix[i].activation + body->activation[k],
			    .backward = below->mix[i].backward + body->backward[k],
			    .gradient = below->mix[i].gradient + body->weight_more[k],
			    .kept = below->mix[i].kept + body->kept_more[k],
			    .link = below->mix[i].link + body->link[k], .a = i, .b = k });
	thinned = picks_prune(&l, most_mixes(maker));
	f = pareto_front_new(l.n, RECOMPUTE_KINDS);
	f.thinned = thinned || below->thinned;
	for (int i = 0; i < l.n; i++) {
		struct mix *m = &f.mix[i];

		memcpy(m->count, below->mix[l.at[i].a].count, RECOMPUTE_KINDS * sizeof *m->count);
		m->count[l.at[i].b]++;
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			m->activation += m->count[k] * body->activation[k];
			m->backward += m->count[k] * body->backward[k];
			m->gradient += m->count[k] * body->weight_more[k];
			m->kept += m->count[k] * body->kept_more[k];
			m->link += m->count[k] * body->link[k];
		}
	}
	free(l.at);
	return f;
}

static unsigned
kinds_of(const struct body *body)
{
	unsigned kinds = 0;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		kinds |= (unsigned)body->has[k] << k;
	return kinds;
}

/* Return the front of LAYERS layers of body B by the kinds in KINDS; NULL: the body has none of these kinds. */
static const struct pareto_front *
front_of(struct pareto *f, int b, unsigned kinds, int layers)
{
	const struct body *body = &f->net->body[b];
	struct body_fronts *of = &f->by_layers[b];
	struct layer_fronts *l;
	int i = 0;

	kinds &= kinds_of(body);
	if (kinds == 0)
		return NULL;
	while (i < of->n && of->at[i].kinds != kinds)
		i++;
	if (i == of->n)
		*APPEND(of->at, of->n) = (struct layer_fronts){ .kinds = kinds };
	l = &of->at[i];
	if (l->n == 0) {
		l->front = xcalloc((size_t)body->layers + 1, sizeof *l->front);
		l->front[l->n++] = pareto_front_new(1, RECOMPUTE_KINDS);
	}
	for (; l->n <= layers; l->n++)
		l->front[l->n] = add_layer(f, body, kinds, &l->front[l->n - 1]);
	return &l->front[layers];
}

static void
set_levels(struct pareto *f, bool listed)
{
	const struct nesting *n = f->net->nesting != NULL ? f->net->nesting : &nesting_built_in;

	f->chains = f->levels[0] = 1;
	f->level[0][0] = (1u << RECOMPUTE_KINDS) - 1;
	if (!listed)
		return;
	f->chains = n->chains;
	memcpy(f->levels, n->levels, sizeof f->levels);
	memcpy(f->level, n->level, sizeof f->level);
}

struct pareto
pareto_new(const struct network *net, int most, bool listed)
{
	struct pareto f = { .net = net, .kinds = recompute_known(),
		.by_layers = xcalloc((size_t)net->nbodies, sizeof *f.by_layers) };
	double fronts = 0;

	set_levels(&f, listed);
	for (int b = 0; b < net->nbodies; b++)
		fronts += (most < net->body[b].layers ? most : net->body[b].layers) *
		    (listed ? net->nbodies > 1 ? LISTED_SETS * f.chains / 2.0 : f.chains : 1);
	f.most = fmax(FRONT_MIN, ALL_MIXES / fronts);
	return f;
}

void
pareto_free(struct pareto *f)
{
	for (int b = 0; b < f->net->nbodies; b++) {
		for (int i = 0; i < f->by_layers[b].n; i++) {
			struct layer_fronts *l = &f->by_layers[b].at[i];

			for (int n = 0; n < l->n; n++)
				pareto_front_free(&l->front[n]);
			free(l->front);
		}
		free(f->by_layers[b].at);
	}
	free(f->by_layers);
}

/* Get the corners of a front's lower convex hull, as indices CORNER[front.n]. Return the number of corners. */
static int
hull(const struct pareto_front *f, int *corner)
{
	int n = 0;

	for (int i = 0; i < f->n; i++) {
		while (n > 1) {
			const struct mix *a = &f->mix[corner[n - 2]], *b = &f->mix[corner[n - 1]], *c = &f->mix[i];

			if ((a->activation - b->activation) * (c->backward - a->backward) >
			    (a->activation - c->activation) * (b->backward - a->backward))
				break;
			n--;
		}
		corner[n++] = i;
	}
	return n;
}

/* Return the MB saved per ms from corner I to the next corner; -1: I is the last corner. */
static double
slope(const struct pareto_front *f, const int *corner, int n, int i)
{
	const struct mix *a, *b;

	if (i >= n - 1)
		return -1;
	a = &f->mix[corner[i]];
	b = &f->mix[corner[i + 1]];
	return (a->activation - b->activation) / (b->backward - a->backward);
}

static void
add_pair(struct picks *l, const struct pareto_front *a, const struct pareto_front *b, int i, int j)
{
	if (i >= 0 && i < a->n && j >= 0 && j < b->n)
		picks_add(l, (struct pick){ .activation = a->mix[i].activation + b->mix[j].activation,
		    .backward = a->mix[i].backward + b->mix[j].backward,
		    .gradient = a->mix[i].gradient + b->mix[j].gradient, .kept = a->mix[i].kept + b->mix[j].kept,
		    .link = a->mix[i].link + b->mix[j].link, .a = i, .b = j });
}

/*
 * Add sums of mixes of two large fronts near the hull of all sums. The hull's corners are sums of corners in order of
 * slope (Minkowski sum). Between two corners of the hull, one front stays at its corner. The mixes of the other front
 * there are added to this corner and to BAND mixes on either side of it.
 */
static void
add_band(struct picks *l, const struct pareto_front *a, const struct pareto_front *b)
{
	int *corner[2] = { xcalloc((size_t)a->n, sizeof(int)), xcalloc((size_t)b->n, sizeof(int)) };
	int n[2] = { hull(a, corner[0]), hull(b, corner[1]) }, at[2] = { 0, 0 };

	while (at[0] < n[0] - 1 || at[1] < n[1] - 1) {
		/* The front with the steeper slope moves to its next corner. */
		int moves = slope(a, corner[0], n[0], at[0]) >= slope(b, corner[1], n[1], at[1]) ? 0 : 1;
		int still = corner[1 - moves][at[1 - moves]];

		for (int i = corner[moves][at[moves]]; i <= corner[moves][at[moves] + 1]; i++)
			for (int j = still - BAND; j <= still + BAND; j++)
				add_pair(l, a, b, moves == 0 ? i : j, moves == 0 ? j : i);
		at[moves]++;
	}
	add_pair(l, a, b, 0, 0);
	add_pair(l, a, b, a->n - 1, b->n - 1);
	free(corner[0]);
	free(corner[1]);
}

/* Add sums of some mixes of two large fronts, chosen evenly over both fronts. */
static void
add_some(struct picks *l, const struct pareto_front *a, const struct pareto_front *b, int most)
{
	int across = (int)sqrt(4.0 * most), along = 4 * most / across;
	int steps[2] = { across < a->n ? across : a->n, along < b->n ? along : b->n };

	for (int i = 0; i < steps[0]; i++)
		for (int j = 0; j < steps[1]; j++)
			add_pair(l, a, b, steps[0] > 1 ? (int)((long)i * (a->n - 1) / (steps[0] - 1)) : a->n - 1,
			    steps[1] > 1 ? (int)((long)j * (b->n - 1) / (steps[1] - 1)) : b->n - 1);
}

/* Get the mixes of a front that picks_light() selects, in INDEX[PICKS_LIGHT]. */
static int
light_of(const struct pareto_front *f, int *index)
{
	struct pick *at = xcalloc((size_t)f->n, sizeof *at);
	int n;

	for (int i = 0; i < f->n; i++)
		at[i] = (struct pick){ .activation = f->mix[i].activation, .kept = f->mix[i].kept };
	n = picks_light(f->n, at, index);
	free(at);
	return n;
}

/* Add sums of the lightest mixes of two fronts. These include the lightest of all sums. */
static void
add_light(struct picks *l, const struct pareto_front *a, const struct pareto_front *b)
{
	int light[2][PICKS_LIGHT], n[2] = { light_of(a, light[0]), light_of(b, light[1]) };

	for (int i = 0; i < n[0]; i++)
		for (int j = 0; j < n[1]; j++)
			add_pair(l, a, b, light[0][i], light[1][j]);
}

/*
 * Add sums of mixes of two fronts; the members a and b of a pick are indices into the fronts. Return whether sums may
 * be missing.
 */
static bool
add_sum(const struct pareto *f, struct picks *l, const struct pareto_front *a, const struct pareto_front *b)
{
	if ((long)a->n * b->n > 4 * most_mixes(f)) {
		add_light(l, a, b);
		if (f->net->link > 0 || f->net->weighs_kinds || f->net->keeps_kinds)
			add_some(l, a, b, most_mixes(f));
		else
			add_band(l, a, b);
		return true;
	}
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < b->n; j++)
			add_pair(l, a, b, i, j);
	return a->thinned || b->thinned;
}

/*
 * Add the layers of body B to the memory and times of a mix. Bodies are summed in model order, and each body by kind.
 * So equal mixes have equal sums, however they were made.
 */
static void
weigh(const struct pareto *f, struct mix *m, int b)
{
	const struct body *body = &f->net->body[b];
	const short *count = m->count + b * RECOMPUTE_KINDS;

	for (int k = 0; k < f->kinds; k++) {
		m->activation += count[k] * body->activation[k];
		m->backward += count[k] * body->backward[k];
		m->gradient += count[k] * body->weight_more[k];
		m->kept += count[k] * body->kept_more[k];
		m->link += count[k] * body->link[k];
	}
}

/* Source of picks: a front of the earlier bodies, and a front of the current body. */
struct source {
	const struct pareto_front *before, *here;
};

/*
 * Return the front of the picks, and free them. The picks are sums of mixes of SOURCE[picks.sources]: of a mix with
 * layers of the bodies from FIRST to before B, and a mix of B.
 */
static struct pareto_front
join(const struct pareto *f, struct picks *l, const struct source *source, int first, int b, bool thinned)
{
	int width = f->net->nbodies * RECOMPUTE_KINDS;
	struct pareto_front sum;

	thinned |= picks_prune(l, most_mixes(f));
	sum = pareto_front_new(l->n, width);
	sum.thinned = thinned;
	for (int i = 0; i < l->n; i++) {
		const struct source *from = &source[l->at[i].source];
		const struct mix *before = &from->before->mix[l->at[i].a];
		struct mix *m = &sum.mix[i];

		m->activation = before->activation;
		m->backward = before->backward;
		m->gradient = before->gradient;
		m->kept = before->kept;
		m->link = before->link;
		memcpy(m->count + first * RECOMPUTE_KINDS, before->count + first * RECOMPUTE_KINDS,
		    (size_t)(b - first) * RECOMPUTE_KINDS * sizeof *m->count);
		memcpy(m->count + b * RECOMPUTE_KINDS, from->here->mix[l->at[i].b].count,
		    RECOMPUTE_KINDS * sizeof *m->count);
		weigh(f, m, b);
	}
	free(l->at);
	return sum;
}

/* Start with an empty mix before the first body. From it each chain continues with its first level. */
static void
begin(const struct pareto *f, struct pareto_front reach[CHAINS_MAX][RECOMPUTE_KINDS])
{
	for (int chain = 0; chain < f->chains; chain++)
		reach[chain][0] = pareto_front_new(1, f->net->nbodies * RECOMPUTE_KINDS);
}

/*
 * Add the mixes of a chain that end with level S or an earlier level. Such a mix consists of a mix of the earlier
 * bodies that ends with level r, REACH[r], and LAYERS layers of body B by levels r to S. Layers of head and tail have
 * no level. SOURCE gets the sources of the mixes.
 */
static bool
add_levels(struct pareto *f, const struct pareto_front reach[RECOMPUTE_KINDS], int chain, int s, int b, int layers,
    struct picks *l, struct source *source)
{
	bool thinned = false;
	unsigned kinds = 0;

	for (int r = s; r >= 0; r--) {
		const struct pareto_front *here;

		kinds = f->net->body[b].side == 0 ? kinds | f->level[chain][r] : 1u << RECOMPUTE_NONE;
		here = front_of(f, b, kinds, layers);
		if (here == NULL || reach[r].n == 0)
			continue;
		source[l->sources] = (struct source){ &reach[r], here };
		thinned |= add_sum(f, l, &reach[r], here);
		l->sources++;
	}
	return thinned;
}

/* Get the only mix, if all pieces of the network are recomputed alike, in COUNT[bodies][RECOMPUTE_KINDS]. */
static void
alike(const struct pareto *f, const int *body, short *count)
{
	int left = f->net->first_layers;

	for (int b = 0; b < f->net->nbodies; b++) {
		int full = f->net->body[b].side != 0 || b >= f->net->first_bodies ? 0 : left < body[b] ? left : body[b];

		count[b * RECOMPUTE_KINDS + RECOMPUTE_FULL] = (short)full;
		count[b * RECOMPUTE_KINDS + RECOMPUTE_NONE] = (short)(body[b] - full);
		left -= full;
	}
}

static struct pareto_front
only(const struct pareto *f, const int *body)
{
	struct pareto_front front = pareto_front_new(1, f->net->nbodies * RECOMPUTE_KINDS);

	alike(f, body, front.mix[0].count);
	for (int b = 0; b < f->net->nbodies; b++)
		weigh(f, &front.mix[0], b);
	if (f->net->link > 0)
		front.mix[0].backward = fmax(front.mix[0].backward, front.mix[0].link);
	return front;
}

/* Return the front with backwards that wait for the offloading link. Frees the old front. */
static struct pareto_front
wait_for_link(const struct pareto *f, struct pareto_front *all)
{
	size_t width = (size_t)f->net->nbodies * RECOMPUTE_KINDS;
	struct picks l = { 0 };
	struct pareto_front front;

	for (int i = 0; i < all->n; i++)
		picks_add(&l, (struct pick){ .activation = all->mix[i].activation,
		    .backward = fmax(all->mix[i].backward, all->mix[i].link), .gradient = all->mix[i].gradient,
		    .kept = all->mix[i].kept, .a = i });
	picks_prune(&l, all->n);
	front = pareto_front_new(l.n, (int)width);
	front.thinned = all->thinned;
	for (int i = 0; i < l.n; i++) {
		front.mix[i].activation = l.at[i].activation;
		front.mix[i].backward = l.at[i].backward;
		front.mix[i].gradient = l.at[i].gradient;
		front.mix[i].kept = l.at[i].kept;
		front.mix[i].link = all->mix[l.at[i].a].link;
		memcpy(front.mix[i].count, all->mix[l.at[i].a].count, width * sizeof *front.mix[i].count);
	}
	free(l.at);
	pareto_front_free(all);
	return front;
}

/* Sort by activation, largest first; at equal activation, fastest first. */
ORDER_BY(by_activation, struct mix, -it->activation, it->backward)

struct pareto_front
pareto_make(struct pareto *f, const int *body)
{
	struct pareto_front reach[CHAINS_MAX][RECOMPUTE_KINDS] = { { { 0 } } }, all;
	struct source source[CHAINS_MAX * RECOMPUTE_KINDS];
	struct picks picks = { .waits = f->net->link > 0 };
	bool thinned = false;
	int first = 0, last = f->net->nbodies - 1;

	while (first < last && body[first] == 0)
		first++;
	if (f->net->first_only || body[first] == 0)
		return only(f, body);
	while (body[last] == 0)
		last--;
	begin(f, reach);
	for (int b = first; b < last; b++)
		for (int chain = 0; chain < f->chains && body[b] > 0; chain++)
			for (int s = f->levels[chain] - 1; s >= 0; s--) {
				struct picks l = { .waits = f->net->link > 0 };
				bool some = add_levels(f, reach[chain], chain, s, b, body[b], &l, source);
				struct pareto_front next = join(f, &l, source, first, b, some);

				pareto_front_free(&reach[chain][s]);
				reach[chain][s] = next;
			}
	for (int chain = 0; chain < f->chains; chain++)
		thinned |= add_levels(f, reach[chain], chain, f->levels[chain] - 1, last, body[last], &picks, source);
	all = join(f, &picks, source, first, last, thinned);
	for (int chain = 0; chain < f->chains; chain++)
		for (int s = 0; s < f->levels[chain]; s++)
			pareto_front_free(&reach[chain][s]);
	if (f->net->link > 0)
		all = wait_for_link(f, &all);
	SORT(all.mix, all.n, by_activation);
	return all;
}
