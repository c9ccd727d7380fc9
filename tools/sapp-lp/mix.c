/* Contents of a piece, and the undominated mixes of recomputation for each. */
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

enum {
	FRONT_MAX = 1000,	/* mixes kept of one content, */
	FRONT_MIN = 16,		/* or fewer where there are very many contents, */
	MIXES_MAX = 500000,	/* so that about so many are kept in all */
	PAIRS = 20,		/* for the sum of two fronts, so many times as many pairs are looked at */
};

struct front {			/* mixes under construction */
	int n, room, width;
	int most;		/* mixes to be kept */
	bool thinned;		/* there would be more */
	struct mix *mix;
};

static int
least(int a, int b)
{
	return a < b ? a : b;
}

/* An empty front; MOST: layers of the largest content, by which many mixed contents can be told. */
static struct front
front_new(const struct network *net, int most)
{
	double contents = most;
	struct front f = { .width = net->nbodies * RECOMPUTE_KINDS };

	for (int b = 1; b < net->nbodies; b++)
		contents += (double)least(most, net->body[b - 1].layers) * least(most, net->body[b].layers);
	f.most = contents * FRONT_MAX <= MIXES_MAX ? FRONT_MAX : (int)(MIXES_MAX / contents);
	if (f.most < FRONT_MIN)
		f.most = FRONT_MIN;
	return f;
}

static void
front_add(struct front *f, const struct mix *base, int at, double activation, double backward)
{
	struct mix *m;

	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : 8;
		f->mix = xreallocarray(f->mix, (size_t)f->room, sizeof *f->mix);
	}
	m = &f->mix[f->n++];
	m->count = xcalloc((size_t)f->width, sizeof *m->count);
	if (base != NULL)
		memcpy(m->count, base->count, (size_t)f->width * sizeof *m->count);
	m->activation = (base ? base->activation : 0) + activation;
	m->backward = (base ? base->backward : 0) + backward;
	if (at >= 0)
		m->count[at]++;
}

static int
by_backward(const void *a, const void *b)
{
	const struct mix *x = a, *y = b;

	if (x->backward != y->backward)
		return x->backward < y->backward ? -1 : 1;
	if (x->activation != y->activation)
		return x->activation < y->activation ? -1 : 1;
	return 0;
}

/* Too many to keep: some, spread evenly from the first to the last. */
static void
thin(struct front *f)
{
	int kept = 0;

	if (f->n <= f->most)
		return;
	for (int i = 0; i < f->n; i++)
		if (i == (int)((long)kept * (f->n - 1) / (f->most - 1)))
			f->mix[kept++] = f->mix[i];
		else
			free(f->mix[i].count);
	f->n = kept;
	f->thinned = true;
}

/* Keep what nothing beats. Sums of the same kinds in another order differ by rounding: those count as equal. */
static void
prune(struct front *f)
{
	double least = INFINITY;
	int kept = 0;

	if (f->n == 0)
		return;
	qsort(f->mix, (size_t)f->n, sizeof *f->mix, by_backward);
	for (int i = 0; i < f->n; i++)
		if (f->mix[i].activation < least - 1e-9 * fabs(least < INFINITY ? least : 0)) {
			least = f->mix[i].activation;
			f->mix[kept++] = f->mix[i];
		} else
			free(f->mix[i].count);
	f->n = kept;
	thin(f);
}

static void
front_free(struct front *f)
{
	for (int i = 0; i < f->n; i++)
		free(f->mix[i].count);
	free(f->mix);
	*f = (struct front){ 0 };
}

/* Fronts of 0..MOST layers of one body: each layer more is tried in every kind on every mix. */
static struct front *
body_fronts(const struct network *net, int b, int most)
{
	const struct body *body = &net->body[b];
	struct front *f = xcalloc((size_t)most + 1, sizeof *f);

	for (int n = 0; n <= most; n++)
		f[n] = front_new(net, most);
	front_add(&f[0], NULL, -1, 0, 0);
	for (int n = 1; n <= most; n++) {
		for (int i = 0; i < f[n - 1].n; i++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				if (body->has[k])
					front_add(&f[n], &f[n - 1].mix[i], b * RECOMPUTE_KINDS + k, body->activation[k],
					    body->backward[k]);
		f[n].thinned = f[n - 1].thinned;
		prune(&f[n]);
	}
	return f;
}

/*
 * The training framework's lists overlap from the first layer of a piece on: they recompute its first layers in full,
 * the next both ways, some more with select or else with comm, and the last not at all, whatever kind of layer each is.
 * These fronts grow layer by layer, by how the last one is recomputed.
 */
enum { ORDERS = 2, STEPS = 4 };
static const enum recompute costly_first[ORDERS][STEPS] = {
	{ RECOMPUTE_FULL, RECOMPUTE_BOTH, RECOMPUTE_SELECT, RECOMPUTE_NONE },
	{ RECOMPUTE_FULL, RECOMPUTE_BOTH, RECOMPUTE_COMM, RECOMPUTE_NONE },
};
struct listed {
	int most;		/* layers of the largest content */
	struct front at[ORDERS][STEPS];
};

static void
listed_clear(struct listed *l)
{
	for (int o = 0; o < ORDERS; o++)
		for (int s = 0; s < STEPS; s++)
			front_free(&l->at[o][s]);
}

/* Before the first layer. */
static void
listed_begin(struct listed *l, const struct network *net)
{
	listed_clear(l);
	for (int o = 0; o < ORDERS; o++) {
		l->at[o][0] = front_new(net, l->most);
		front_add(&l->at[o][0], NULL, -1, 0, 0);
	}
}

/* One layer more, of body B. */
static void
listed_add(struct listed *l, const struct network *net, int b)
{
	const struct body *body = &net->body[b];

	for (int o = 0; o < ORDERS; o++)
		for (int s = STEPS - 1; s >= 0; s--) {
			enum recompute k = costly_first[o][s];
			struct front next = front_new(net, l->most);

			for (int before = 0; before <= s; before++)
				next.thinned |= l->at[o][before].thinned;
			for (int before = 0; before <= s && body->has[k]; before++)
				for (int i = 0; i < l->at[o][before].n; i++)
					front_add(&next, &l->at[o][before].mix[i], b * RECOMPUTE_KINDS + (int)k, body->activation[k],
					    body->backward[k]);
			prune(&next);
			front_free(&l->at[o][s]);
			l->at[o][s] = next;
		}
}

static struct front
listed_all(const struct listed *l, const struct network *net)
{
	struct front all = front_new(net, l->most);

	for (int o = 0; o < ORDERS; o++)
		for (int s = 0; s < STEPS; s++)
			all.thinned |= l->at[o][s].thinned;
	for (int o = 0; o < ORDERS; o++)
		for (int s = 0; s < STEPS; s++)
			for (int i = 0; i < l->at[o][s].n; i++)
				front_add(&all, &l->at[o][s].mix[i], -1, 0, 0);
	prune(&all);
	return all;
}

/* Every EACH-th of N, and the last one. */
static int
next_of(int i, int each, int n)
{
	return i < n - 1 && i + each > n - 1 ? n - 1 : i + each;
}

static struct front
front_sum(const struct front *a, const struct front *b)
{
	struct front sum = { .width = b->width, .most = b->most };
	int each = 1;

	while (((long)a->n / each + 1) * (b->n / each + 1) > PAIRS * b->most)
		each++;
	sum.thinned = a->thinned || b->thinned || each > 1;
	for (int i = 0; i < a->n; i = next_of(i, each, a->n))
		for (int j = 0; j < b->n; j = next_of(j, each, b->n)) {
			front_add(&sum, &a->mix[i], -1, b->mix[j].activation, b->mix[j].backward);
			for (int w = 0; w < sum.width; w++)
				sum.mix[sum.n - 1].count[w] += b->mix[j].count[w];
		}
	prune(&sum);
	return sum;
}

/* Add up per kind, in a fixed order, so that equal mixes have equal figures however they were found. */
static void
settle(const struct network *net, struct content *c)
{
	for (int i = 0; i < c->nmixes; i++) {
		struct mix *m = &c->mix[i];

		m->activation = m->backward = 0;
		for (int b = 0; b < net->nbodies; b++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++) {
				m->activation += m->count[b * RECOMPUTE_KINDS + k] * net->body[b].activation[k];
				m->backward += m->count[b * RECOMPUTE_KINDS + k] * net->body[b].backward[k];
			}
	}
}

/* Every mix of so many layers of each body. */
static struct front
bodies_sum(const struct network *net, const int *body, struct front **fronts)
{
	struct front sum = { .width = fronts[0][0].width, .most = fronts[0][0].most };

	front_add(&sum, NULL, -1, 0, 0);
	for (int b = 0; b < net->nbodies; b++) {
		struct front next;

		if (body[b] == 0)
			continue;
		next = front_sum(&sum, &fronts[b][body[b]]);
		front_free(&sum);
		sum = next;
	}
	return sum;
}

static int
add_content(struct mixes *m, const struct network *net, const int *body, struct front f)
{
	struct content *c;

	m->content = xreallocarray(m->content, (size_t)m->ncontents + 1, sizeof *m->content);
	c = &m->content[m->ncontents];
	*c = (struct content){ .nmixes = f.n, .thinned = f.thinned, .mix = f.mix,
	    .body = xcalloc((size_t)net->nbodies, sizeof *c->body) };
	for (int b = 0; b < net->nbodies; b++) {
		c->body[b] = body[b];
		c->layers += body[b];
		c->forward += body[b] * net->body[b].forward;
		c->weight += body[b] * net->body[b].backward[RECOMPUTE_NONE] / 2;
		c->parameter += body[b] * net->body[b].parameter;
	}
	settle(net, c);
	return m->ncontents++;
}

static int
find_content(const struct mixes *m, const int *body)
{
	for (int i = 0; i < m->ncontents; i++)
		if (memcmp(m->content[i].body, body, (size_t)m->nbodies * sizeof *body) == 0)
			return i;
	return -1;
}

/* Contents of the runs that begin with layer FIRST. KIND[layers] */
static void
add_runs(struct mixes *m, const struct network *net, int first, const int *kind, struct front **fronts)
{
	int *body = xcalloc((size_t)net->nbodies, sizeof *body), *slot = m->index + (size_t)first * (size_t)m->most;
	int longest = least(m->most, net->layers - first);
	struct listed listed = { .most = m->most };

	/* A run within one kind of layer is the same wherever it starts. */
	if (fronts == NULL && (first == 0 || kind[first - 1] != kind[first + longest - 1]))
		listed_begin(&listed, net);
	for (int n = 0; n < longest; n++) {
		body[kind[first + n]]++;
		listed_add(&listed, net, kind[first + n]);
		if (first > 0 && kind[first - 1] == kind[first + n]) {
			slot[n] = slot[n - m->most];
			continue;
		}
		slot[n] = find_content(m, body);
		if (slot[n] < 0) {
			struct front f = fronts != NULL ? bodies_sum(net, body, fronts) : listed_all(&listed, net);

			if (f.n > 0)
				slot[n] = add_content(m, net, body, f);
		}
	}
	listed_clear(&listed);
	free(body);
}

struct mixes
mixes_new(const struct network *net, int most, bool listed)
{
	struct mixes m = { .nbodies = net->nbodies, .layers = net->layers, .most = most };
	struct front **fronts = listed ? NULL : xcalloc((size_t)net->nbodies, sizeof *fronts);
	int *kind = xcalloc((size_t)net->layers, sizeof *kind);

	for (int b = 0, at = 0; b < net->nbodies; b++) {
		if (!listed)
			fronts[b] = body_fronts(net, b, least(most, net->body[b].layers));
		for (int i = 0; i < net->body[b].layers; i++)
			kind[at++] = b;
	}
	m.index = xcalloc((size_t)net->layers * (size_t)most, sizeof *m.index);
	for (size_t i = 0; i < (size_t)net->layers * (size_t)most; i++)
		m.index[i] = -1;
	for (int first = 0; first < net->layers; first++)
		add_runs(&m, net, first, kind, fronts);
	for (int b = 0; b < net->nbodies && !listed; b++) {
		for (int n = 0; n <= most && n <= net->body[b].layers; n++)
			front_free(&fronts[b][n]);
		free(fronts[b]);
	}
	free(fronts);
	free(kind);
	return m;
}

void
mixes_free(struct mixes *m)
{
	for (int i = 0; i < m->ncontents; i++) {
		for (int k = 0; k < m->content[i].nmixes; k++)
			free(m->content[i].mix[k].count);
		free(m->content[i].mix);
		free(m->content[i].body);
	}
	free(m->content);
	free(m->index);
	*m = (struct mixes){ 0 };
}

int
mixes_find(const struct mixes *m, int first, int length)
{
	if (length < 1 || length > m->most || first < 0 || first + length > m->layers)
		return -1;
	return m->index[(size_t)first * (size_t)m->most + (size_t)length - 1];
}
