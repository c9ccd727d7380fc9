/*
 * Search: find a good design by simulated annealing. It has the least condition number, and no run above the memory
 * limit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "design.h"
#include "gram.h"

enum { STARTS = 4, STEPS = 25000 };
/* temperatures; the energy is the logarithm of the condition number */
static const double hottest = 0.5, coldest = 0.002;
static const double worst = 30;				/* cost of a design that leaves unknowns undetermined */

struct search_state {
	const struct guide_question *q;
	int n;			/* number of settings: rounds x stages */
	struct guide_setting *at;
	struct gram gram;
	double excess;		/* sum of the memory above the limit, relative to the limit */
	uint64_t seed;
};

struct change {			/* replacement of one or two settings */
	int n, i[2];
	struct guide_setting to[2];
};

static double
excess(const struct guide_question *q, int stage, const struct guide_setting *s)
{
	double over = q->limit > 0 ? setting_memory(q, stage, s) / q->limit - 1 : 0;

	return over > 0 ? over : 0;
}

static void
replace(struct search_state *st, int i, const struct guide_setting *to)
{
	int stage = i % st->q->stages;

	gram_add(&st->gram, &st->at[i - stage], stage, -1);
	st->excess -= excess(st->q, stage, &st->at[i]);
	st->at[i] = *to;
	gram_add(&st->gram, &st->at[i - stage], stage, 1);
	st->excess += excess(st->q, stage, to);
}

static double
cost(struct search_state *st)
{
	double c = gram_condition(&st->gram);

	return (isfinite(c) ? log(c) : worst + (st->q->bodies > 1 ? st->gram.open : 0)) +
	    (st->excess > 1e-9 ? 10 + 10 * st->excess : 0);
}

/* Return whether lists of a YAML can express a setting. They cannot express select and comm on one stage. */
static bool
expressible(const struct guide_setting *s)
{
	return s->count[RECOMPUTE_SELECT] == 0 || s->count[RECOMPUTE_COMM] == 0;
}

static int
random_kind(struct search_state *st)
{
	int k;

	do
		k = random_below(&st->seed, RECOMPUTE_BUILT_IN);
	while (!st->q->kind[k]);
	return k;
}

/* Return a random kind among the setting's layers. */
static int
random_present(struct search_state *st, const struct guide_setting *s)
{
	int k;

	do
		k = random_below(&st->seed, RECOMPUTE_BUILT_IN);
	while (s->count[k] == 0);
	return k;
}

/* Give some layers of a stage another kind, or give all of them one kind. */
static bool
change_kind(struct search_state *st, struct change *c)
{
	struct guide_setting *to = &c->to[0];
	int from, kind = random_kind(st), some;

	c->n = 1;
	c->i[0] = random_below(&st->seed, st->n);
	*to = st->at[c->i[0]];
	if (random_below(&st->seed, 4) == 0) {
		int all = setting_layers(to);

		memset(to, 0, sizeof *to);
		to->count[kind] = all;
		return true;
	}
	from = random_present(st, to);
	some = 1 + random_below(&st->seed, to->count[from]);
	to->count[from] -= some;
	to->count[kind] += some;
	return from != kind;
}

/* Move a layer to another stage of the same round, or exchange two stages. */
static bool
move_layer(struct search_state *st, struct change *c)
{
	int stages = st->q->stages, first, from, kind = random_kind(st);

	c->n = 2;
	c->i[0] = random_below(&st->seed, st->n);
	first = c->i[0] - c->i[0] % stages;
	c->i[1] = first + random_below(&st->seed, stages);
	if (c->i[0] == c->i[1])
		return false;
	c->to[0] = st->at[c->i[0]];
	c->to[1] = st->at[c->i[1]];
	if (random_below(&st->seed, 3) == 0) {
		struct guide_setting swap = c->to[0];

		c->to[0] = c->to[1];
		c->to[1] = swap;
		return true;
	}
	if (setting_layers(&c->to[0]) == 1 || setting_layers(&c->to[1]) == st->q->most)
		return false;
	from = random_present(st, &c->to[0]);
	c->to[0].count[from]--;
	c->to[1].count[kind]++;
	return true;
}

/* Start from even layers, with one kind on each stage, in turn. */
static void
start(struct search_state *st, int which)
{
	int stages = st->q->stages, even = st->q->layers / stages, more = st->q->layers % stages;

	memset(st->at, 0, (size_t)st->n * sizeof *st->at);
	for (int i = 0; i < st->n; i++) {
		int k = RECOMPUTE_NONE;

		for (int turn = (i + which) % RECOMPUTE_BUILT_IN; turn > 0; turn--)
			do
				k = (k + 1) % RECOMPUTE_BUILT_IN;
			while (!st->q->kind[k]);
		st->at[i].count[k] = even + (i % stages < more);
	}
	st->gram = gram_new(st->q);
	st->excess = 0;
	gram_add_all(&st->gram, st->at, st->n / stages);
	for (int i = 0; i < st->n; i++)
		st->excess += excess(st->q, i % stages, &st->at[i]);
}

/* Return the least cost found, and its settings in BEST. */
static double
anneal(struct search_state *st, struct guide_setting *best)
{
	double now = cost(st), least = now;

	memcpy(best, st->at, (size_t)st->n * sizeof *best);
	for (int step = 0; step < STEPS; step++) {
		double heat = hottest * pow(coldest / hottest, (double)step / STEPS), next;
		struct guide_setting old[2];
		struct change c;
		bool good = random_below(&st->seed, 2) ? change_kind(st, &c) : move_layer(st, &c);

		for (int i = 0; good && i < c.n; i++)
			good = expressible(&c.to[i]);
		if (!good)
			continue;
		for (int i = 0; i < c.n; i++) {
			old[i] = st->at[c.i[i]];
			replace(st, c.i[i], &c.to[i]);
		}
		next = cost(st);
		if (next <= now || random_unit(&st->seed) < exp((now - next) / heat)) {
			now = next;
		} else {
			for (int i = c.n; i-- > 0;)
				replace(st, c.i[i], &old[i]);
			continue;
		}
		if (now < least - 1e-12) {
			least = now;
			memcpy(best, st->at, (size_t)st->n * sizeof *best);
		}
	}
	return least;
}

struct design
design_search(const struct guide_question *q, int rounds)
{
	struct design d = { .question = q, .rounds = rounds };
	struct search_state st = { .q = q, .n = rounds * q->stages, .seed = 1 };
	struct guide_setting *best = xcalloc((size_t)st.n, sizeof *best);
	double least = INFINITY;
	struct gram g = gram_new(q);

	st.at = xcalloc((size_t)st.n, sizeof *st.at);
	d.at = xcalloc((size_t)st.n, sizeof *d.at);
	for (int i = 0; i < STARTS; i++) {
		double c;

		start(&st, i);
		c = anneal(&st, best);
		if (c < least) {
			least = c;
			memcpy(d.at, best, (size_t)st.n * sizeof *best);
		}
	}
	gram_add_all(&g, d.at, rounds);
	for (int i = 0; i < st.n; i++) {
		double memory = setting_memory(q, i % q->stages, &d.at[i]);

		if (memory > d.peak)
			d.peak = memory;
	}
	d.condition = gram_condition(&g);
	free(st.at);
	free(best);
	return d;
}
