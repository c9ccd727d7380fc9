/* Catalog: all contents that each stage can hold. */
#include "patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node_bounds.h"
#include "lib/base/clock.h"
#include "lib/base/alloc.h"
#include "pricing.h"

enum {
	LIST_TRIES = 200000,		/* contents looked at for a start */
	PROOF_TRIES = 4000000,		/* contents looked at for a proof */
	CHECK_EVERY = 1024,		/* contents between looks at the clock */
	PROOF_DISHES = 200000,		/* contents kept for one */
	STATES_MAX = 1 << 23,		/* of dynamic programming, for all stages */
	MENU_WORK = 100000000,		/* combinations of mixes looked at for a proof */
};

/* Least time for which the stage is busy in a step with these contents, everything kept. */
static double
least_busy(const struct problem *p, int stage, const int *content)
{
	double t = 0;

	for (int v = 0; v < p->chunks; v++) {
		const struct content *c = &p->mixes.content[content[v]];
		int piece = v * p->stages + stage;
		const struct mix fastest = { .backward = c->backward };
		struct times each = piece_times(p, piece, c, &fastest);

		t += each.forward + each.backward;
	}
	return t * p->micro;
}

static int
total(const struct problem *p, const int *content, int chunks)
{
	int n = 0;

	for (int v = 0; v < chunks; v++)
		n += p->mixes.content[content[v]].layers;
	return n;
}

/* Contents of a piece sorted by layers, so that once one is too large the rest are too; *N of them. */
static int *
by_layers(const struct problem *p, int piece, int *n)
{
	const struct mixes *m = &p->mixes;
	int *order = xcalloc((size_t)m->ncontents, sizeof *order);
	int *next = xcalloc((size_t)m->most + 2, sizeof *next);		/* where those of so many layers go */

	*n = 0;
	for (int i = 0; i < m->ncontents; i++)
		if (piece_can_hold(p, piece, i)) {
			next[m->content[i].layers + 1]++;
			++*n;
		}
	for (int layers = 1; layers <= m->most; layers++)
		next[layers + 1] += next[layers];
	for (int i = 0; i < m->ncontents; i++)
		if (piece_can_hold(p, piece, i))
			order[next[m->content[i].layers]++] = i;
	free(next);
	return order;
}

static void
add_dish(struct catalog *c, int stage, const int *content, bool floor)
{
	const struct problem *p = c->problem;
	struct dish *d;

	if ((c->n[stage] & (c->n[stage] - 1)) == 0)	/* room doubles at powers of two */
		c->dish[stage] = xreallocarray(c->dish[stage], 2 * (size_t)c->n[stage] + 1, sizeof **c->dish);
	d = &c->dish[stage][c->n[stage]++];
	*d = (struct dish){ 0 };
	d->content = xcalloc((size_t)p->chunks, sizeof *d->content);
	memcpy(d->content, content, (size_t)p->chunks * sizeof *content);
	d->layers = total(p, content, p->chunks);
	if (floor) {
		d->floor = xcalloc(1, sizeof *d->floor);
		*d->floor = price_floor(p, stage, *content);
	}
}

void
dish_free(struct dish *d)
{
	free(d->content);
	free(d->floor);
}

/* What a stage's chunks can hold. */
struct choices {
	int *n;			/* [chunks] */
	int **content;		/* [chunks][n], from by_layers() */
};

static struct choices
choices_new(const struct problem *p, int stage)
{
	struct choices c = { xcalloc((size_t)p->chunks, sizeof *c.n), xcalloc((size_t)p->chunks, sizeof *c.content) };

	for (int v = 0; v < p->chunks; v++)
		c.content[v] = by_layers(p, v * p->stages + stage, &c.n[v]);
	return c;
}

static void
choices_free(const struct problem *p, struct choices *c)
{
	for (int v = 0; v < p->chunks; v++)
		free(c->content[v]);
	free(c->content);
	free(c->n);
}

static double
combinations(const struct problem *p, const struct choices *c)
{
	double product = 1;

	for (int v = 0; v < p->chunks; v++)
		product *= c->n[v];
	return product;
}

/*
 * Visit every combination of contents of a stage, smaller ones first; where KEEP says no to one, larger ones are
 * passed over. False when there are more than TRIES, or no time is left for them.
 */
static bool
each_content(struct catalog *c, int stage, long tries, double deadline,
    bool (*keep)(struct catalog *, int, const int *, void *), void *with)
{
	const struct problem *p = c->problem;
	struct choices from = choices_new(p, stage);
	int *pick = xcalloc((size_t)p->chunks, sizeof *pick), *content = xcalloc((size_t)p->chunks, sizeof *content);
	double all = combinations(p, &from);
	int v = all > 0 ? 0 : -1;

	/* With several bodies none is passed over. */
	if (p->net->nbodies > 1 && all > (double)tries)
		tries = 0;
	while (v >= 0 && tries-- > 0 && (tries % CHECK_EVERY != 0 || clock_left(deadline))) {
		for (v = 0; v < p->chunks; v++)
			content[v] = from.content[v][pick[v]];
		/* Too large already: a larger last chunk is no use, and neither is this one with a larger one before. */
		v = p->chunks - 1;
		if (!keep(c, stage, content, with) && p->net->nbodies == 1) {
			while (v > 0 && pick[v] == 0)
				v--;
			pick[v] = from.n[v];
		} else
			pick[v]++;
		while (v >= 0 && pick[v] >= from.n[v]) {
			pick[v] = 0;
			if (--v >= 0)
				pick[v]++;
		}
	}
	free(pick);
	free(content);
	choices_free(p, &from);
	return v < 0;
}

static struct catalog
catalog_empty(const struct problem *p)
{
	struct catalog c = { .problem = p, .complete = true, .deadline = INFINITY };

	c.n = xcalloc((size_t)p->stages, sizeof *c.n);
	c.dish = xcalloc((size_t)p->stages, sizeof *c.dish);
	return c;
}

/* No stage can hold more layers of a body than there are, or so many that too few are left for the others. */
static bool
leaves_enough(const struct problem *p, const int *content)
{
	for (int b = 0; b < p->net->nbodies; b++) {
		int layers = 0;

		for (int v = 0; v < p->chunks; v++)
			layers += p->mixes.content[content[v]].body[b];
		if (layers > p->net->body[b].layers)
			return false;
	}
	return total(p, content, p->chunks) <= p->net->layers - p->pieces + p->chunks;
}

/* Each list of contents a stage is short enough, and what dynamic programming over them needs. */
bool
catalog_can_list(const struct problem *p)
{
	bool can = catalog_states(p) * (p->stages + 1) <= STATES_MAX && p->mixes.ncontents <= p->few.contents;

	for (int s = 0; s < p->stages && can && p->net->nbodies > 1; s++) {
		struct choices c = choices_new(p, s);

		can = combinations(p, &c) <= LIST_TRIES / p->stages;
		choices_free(p, &c);
	}
	return can;
}

struct start {
	bool fitting;
	int most;
};

static bool
keep_for_start(struct catalog *c, int stage, const int *content, void *with)
{
	const struct start *start = with;
	const struct problem *p = c->problem;
	int layers = total(p, content, p->chunks);

	if (!leaves_enough(p, content) || (start->fitting &&
	    stage_least_memory(p, stage, content) > p->limit[stage] + MEMORY_SLACK))
		return false;
	if (layers > start->most) {
		c->complete = false;
		return false;
	}
	add_dish(c, stage, content, false);
	return true;
}

struct catalog
catalog_list(const struct problem *p, bool fitting, int most)
{
	struct catalog c = catalog_empty(p);
	struct start start = { fitting, most };

	c.whole = true;
	for (int s = 0; s < p->stages; s++)
		if (!each_content(&c, s, LIST_TRIES / p->stages, INFINITY, keep_for_start, &start))
			c.complete = c.whole = false;
	return c;
}

static bool
keep_for_proof(struct catalog *c, int stage, const int *content, void *with)
{
	const double *horizon = with;
	const struct problem *p = c->problem;

	if (!c->complete || !leaves_enough(p, content) || least_busy(p, stage, content) >= *horizon ||
	    stage_least_memory(p, stage, content) > p->limit[stage] + MEMORY_SLACK)
		return false;
	c->complete &= c->n[stage] < PROOF_DISHES / p->stages;
	if (c->complete)
		add_dish(c, stage, content, p->chunks == 1);
	return c->complete;
}

/*
 * Replace the bare contents of a stage by those that have a setting, with their menus where those are short; false when
 * time runs out.
 */
static bool
make_menus(struct catalog *c, struct menus *menus, int stage)
{
	const struct problem *p = c->problem;
	/* Fronts of very many contents take too long. */
	bool short_ones = p->mixes.ncontents <= p->few.contents;
	int kept = 0;

	for (int i = 0; i < c->n[stage]; i++) {
		struct dish *d = &c->dish[stage][i];

		if (i % CHECK_EVERY == 0 && !clock_left(c->deadline))
			return false;
		if (short_ones && menus->tries < MENU_WORK && menu_combinations(p, d->content) <= p->few.combinations)
			d->menu = menus_get(menus, stage, d->content);
		if (d->menu == NULL || d->menu->n > 0)
			c->dish[stage][kept++] = *d;
		else
			dish_free(d);
	}
	c->n[stage] = kept;
	return true;
}

/* May STAGE, its only chunk, hold the layers from FIRST up to END? If so, it may hold any part of them. */
static bool
run_fits(const struct problem *p, int stage, int first, int end, double horizon)
{
	int content = mixes_find(&p->mixes, first, end - first);

	return content >= 0 && least_busy(p, stage, &content) < horizon &&
	    stage_least_memory(p, stage, &content) <= p->limit[stage] + MEMORY_SLACK;
}

/*
 * With one chunk a stage: the layers with which each stage may begin, those before and behind taking all they can at
 * most. EARLIEST, LATEST[stages + 1], the last one being all layers.
 */
static void
find_borders(const struct problem *p, double horizon, int *earliest, int *latest)
{
	int all = p->net->layers;

	latest[0] = 0;
	for (int s = 0; s < p->stages; s++) {
		latest[s + 1] = latest[s];
		while (latest[s + 1] < all && run_fits(p, s, latest[s], latest[s + 1] + 1, horizon))
			latest[s + 1]++;
	}
	earliest[p->stages] = all;
	for (int s = p->stages - 1; s >= 0; s--) {
		earliest[s] = earliest[s + 1];
		while (earliest[s] > 0 && run_fits(p, s, earliest[s] - 1, earliest[s + 1], horizon))
			earliest[s]--;
	}
}

/* With one chunk a stage: as each_content() would with keep_for_proof(), but only runs between borders. */
static bool
each_run(struct catalog *c, double horizon, double deadline)
{
	const struct problem *p = c->problem;
	int *earliest = xcalloc((size_t)p->stages + 1, sizeof *earliest);
	int *latest = xcalloc((size_t)p->stages + 1, sizeof *latest);
	int *seen = xcalloc((size_t)p->mixes.ncontents, sizeof *seen);	/* 1 + the last stage that a content was tried for */
	bool whole = true;

	find_borders(p, horizon, earliest, latest);
	for (int s = 0; s < p->stages; s++)
		for (int first = earliest[s]; first <= latest[s] && whole; first++) {
			whole = c->complete && clock_left(deadline);
			for (int end = first + 1; end <= latest[s + 1] && whole; end++) {
				int content = mixes_find(&p->mixes, first, end - first);

				if (end < earliest[s + 1])
					continue;
				if (content < 0)
					break;
				if (seen[content] != s + 1 && !keep_for_proof(c, s, &content, &horizon))
					break;
				seen[content] = s + 1;
			}
		}
	free(earliest);
	free(latest);
	free(seen);
	return whole;
}

static bool
each_of_all(struct catalog *c, double horizon, double deadline)
{
	const struct problem *p = c->problem;
	bool whole = true;

	for (int s = 0; s < p->stages; s++)
		whole = whole && each_content(c, s, PROOF_TRIES / p->stages, deadline, keep_for_proof, &horizon);
	return whole;
}

struct catalog
catalog_new(const struct problem *p, struct menus *menus, const struct visits *weight, double horizon, double deadline)
{
	struct catalog c = catalog_empty(p);

	c.deadline = deadline;
	if (catalog_states(p) * (p->stages + 1) > STATES_MAX || !(p->chunks == 1 ? each_run : each_of_all)(&c, horizon, deadline))
		c.complete = false;
	if (c.complete)
		catalog_trim(&c, weight, horizon);
	for (int s = 0; s < p->stages; s++)
		c.complete = c.complete && make_menus(&c, menus, s);
	if (c.complete)
		c.bound = fmin(catalog_bound(&c, weight, NULL), horizon);
	return c;
}

int
catalog_bare(const struct catalog *c)
{
	int n = 0;

	for (int s = 0; s < c->problem->stages; s++)
		for (int i = 0; i < c->n[s]; i++)
			n += c->dish[s][i].menu == NULL;
	return n;
}

struct catalog
catalog_within(const struct catalog *from, const struct box *box)
{
	const struct problem *p = from->problem;
	struct catalog c = { .problem = p, .box = box, .borrowed = true, .complete = from->complete,
		.deadline = from->deadline };

	c.n = xcalloc((size_t)p->stages, sizeof *c.n);
	c.dish = xcalloc((size_t)p->stages, sizeof *c.dish);
	for (int s = 0; s < p->stages; s++) {
		c.dish[s] = xcalloc((size_t)from->n[s], sizeof **c.dish);
		for (int i = 0; i < from->n[s]; i++)
			if (box_has_contents(p, box, s, from->dish[s][i].content))
				c.dish[s][c.n[s]++] = from->dish[s][i];
	}
	return c;
}

void
catalog_free(struct catalog *c)
{
	for (int s = 0; c->dish != NULL && s < c->problem->stages; s++) {
		for (int i = 0; i < c->n[s] && !c->borrowed; i++)
			dish_free(&c->dish[s][i]);
		free(c->dish[s]);
	}
	free(c->dish);
	free(c->n);
	*c = (struct catalog){ 0 };
}
