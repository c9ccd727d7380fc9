/* Repair: a random walk over placements of layers towards a target, which is lowered step by step. */
#include "repair.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"

enum {
	STALE = 1000,			/* moves without success, times pieces, after which another target is tried */
	ROUNDS = 16,			/* targets without success after which the walk restarts near its best plan */
	UNTIMED = 2000000,		/* moves times pieces before the first check of the clock */
	CHECK_EVERY = 256,		/* moves between checks of the clock */
	/* minimum number of layers of a piece from which several layers move together */
	COARSE = 16,
};
/* Relative distance of the target below the least level: starts at FAR and falls to NEAR. */
static const double FAR = 0.02, NEAR = 1e-3;
/* fraction of the least level by which a move may raise the sum, at first */
static const double HEAT = 0.01;
static const double STEP = 1e-6;	/* MB, to which differences between limits are rounded */

/*
 * A walk over layouts towards a layout with no stage above a target. It compares levels: the memory of a stage minus
 * the difference between its limit and the highest limit. So the walk does not change if all limits rise or fall
 * by the same amount: a later question with the reported limits finds the same plan.
 */
struct repair {
	const struct problem *p;
	struct allowed allowed;
	int *layers;			/* [pieces] */
	int *first;			/* [pieces + 1], layers before the n-th piece */
	struct candidate now, next;
	double *own;			/* [stages], limit of each stage minus the highest limit, MB (0 or less) */
	double *level, *next_level;	/* [stages], MB, levels of now and next */
	char *touched;			/* [stages], whether level and next_level differ */
	double target;			/* MB, the level that no stage should exceed */
	double sum;			/* MB by which stages exceed the target, in total */
	double far;
	double heat;			/* MB by which a move may raise the sum */
	/* number of moves; moves since the last change of the least level or the target */
	long moves, since;
	int rounds;
	uint64_t random;
	/* MB, of the best layout: its highest level, and its excess over the given limits */
	double least, excess;
	int *best;			/* [pieces], layers of the best layout */
};

static double
over_limit(const struct problem *p, const struct candidate *c, int stage)
{
	int content[p->chunks];

	candidate_stage(p, c, stage, content, NULL);
	return stage_excess(p, stage, content);
}

static double
worst(const struct problem *p, const double *over, int *stage)
{
	*stage = 0;
	for (int s = 1; s < p->stages; s++)
		if (over[s] > over[*stage])
			*stage = s;
	return over[*stage];
}

double
overload(const struct problem *p, const struct candidate *c, int *stage)
{
	double over[p->stages];

	for (int s = 0; s < p->stages; s++)
		over[s] = over_limit(p, c, s);
	return worst(p, over, stage);
}

static double
memory_of(const struct repair *w, const struct candidate *c, int stage)
{
	const struct problem *p = w->p;
	int content[p->chunks], mix[p->chunks];

	candidate_stage(p, c, stage, content, NULL);
	if (w->allowed.mix == NULL)
		return stage_least_memory(p, stage, content);
	for (int v = 0; v < p->chunks; v++) {
		mix[v] = w->allowed.mix(w->allowed.with, v * p->stages + stage, content[v]);
		if (mix[v] < 0)
			return INFINITY;
	}
	return stage_peak(p, stage, content, mix);
}

static double
level_of(const struct repair *w, const struct candidate *c, int stage)
{
	return memory_of(w, c, stage) - w->own[stage];
}

/* Return overload() for the allowed mixes. */
static double
excess_of(const struct repair *w, const struct candidate *c, int *stage)
{
	double over[w->p->stages];

	for (int s = 0; s < w->p->stages; s++)
		over[s] = memory_of(w, c, s) - w->p->limit[s];
	return worst(w->p, over, stage);
}

static double
above_target(const struct repair *w, const double *level)
{
	double sum = 0;

	for (int s = 0; s < w->p->stages; s++)
		sum += fmax(level[s] - w->target, 0);
	return sum;
}

static void
set_own(struct repair *w)
{
	const struct problem *p = w->p;
	double most = -INFINITY;

	for (int s = 0; s < p->stages; s++)
		most = fmax(most, p->limit[s]);
	for (int s = 0; s < p->stages; s++)
		w->own[s] = rint((p->limit[s] - most) / STEP) * STEP;
}

struct repair *
repair_new(const struct problem *p, const int *layers, const struct allowed *allowed)
{
	struct repair *w = xcalloc(1, sizeof *w);
	int stage;

	*w = (struct repair){ .p = p, .layers = xcalloc((size_t)p->pieces, sizeof *w->layers), .now = candidate_new(p),
		.first = xcalloc((size_t)p->pieces + 1, sizeof *w->first), .next = candidate_new(p), .far = FAR,
		.random = RANDOM_ODD, .least = INFINITY, .excess = INFINITY };
	if (allowed != NULL)
		w->allowed = *allowed;
	w->own = xcalloc((size_t)p->stages, sizeof *w->own);
	w->level = xcalloc((size_t)p->stages, sizeof *w->level);
	w->next_level = xcalloc((size_t)p->stages, sizeof *w->next_level);
	w->touched = xcalloc((size_t)p->stages, sizeof *w->touched);
	w->best = xcalloc((size_t)p->pieces, sizeof *w->best);
	memcpy(w->layers, layers, (size_t)p->pieces * sizeof *layers);
	memcpy(w->best, layers, (size_t)p->pieces * sizeof *layers);
	if (!candidate_lay_out(p, w->layers, &w->now))
		return w;
	set_own(w);
	for (int n = 0; n < p->pieces; n++)
		w->first[n + 1] = w->first[n] + layers[p->piece[n]];
	for (int s = 0; s < p->stages; s++)
		w->next_level[s] = w->level[s] = level_of(w, &w->now, s);
	candidate_copy(p, &w->next, &w->now);
	w->least = worst(p, w->level, &stage);
	w->excess = excess_of(w, &w->now, &stage);
	w->target = w->least * (1 - w->far);
	w->sum = above_target(w, w->level);
	return w;
}

void
repair_free(struct repair *w)
{
	free(w->layers);
	free(w->first);
	candidate_free(&w->now);
	candidate_free(&w->next);
	free(w->own);
	free(w->level);
	free(w->next_level);
	free(w->touched);
	free(w->best);
	free(w);
}

/*
 * Set NEXT to the layout with SOME layers of piece FROM moved to piece TO. Only the pieces between FROM and TO change.
 * Return false if a piece cannot hold its new layers.
 */
static bool
look(struct repair *w, int from, int to, int some)
{
	const struct problem *p = w->p;
	int low = p->position[from], high = p->position[to], shift = low < high ? -some : some, at;
	bool can = true;

	if (low > high) {
		at = low;
		low = high;
		high = at;
	}
	for (int n = low; n <= high && can; n++) {
		int begin = w->first[n] + (n > low ? shift : 0), end = w->first[n + 1] + (n < high ? shift : 0);
		int i = p->piece[n], content = piece_content(p, i, begin, end - begin);

		can = content >= 0 && problem_border(p, n, begin) && problem_border(p, n + 1, end);
		if (can && content != w->now.content[i]) {
			w->next.content[i] = content;
			w->touched[i % p->stages] = 1;
		}
	}
	for (int s = 0; s < p->stages && can; s++)
		if (w->touched[s])
			w->next_level[s] = level_of(w, &w->next, s);
	return can;
}

/* Make both layouts equal again. TAKE: accept the tried changes, otherwise drop them. */
static void
settle(struct repair *w, int from, int to, int some, bool take)
{
	const struct problem *p = w->p;
	struct candidate *source = take ? &w->next : &w->now, *target = take ? &w->now : &w->next;
	int low = p->position[from], high = p->position[to], shift = low < high ? -some : some;

	if (low > high) {
		low = p->position[to];
		high = p->position[from];
	}
	for (int n = low; n <= high; n++)
		target->content[p->piece[n]] = source->content[p->piece[n]];
	for (int n = low + 1; n <= high && take; n++)
		w->first[n] += shift;
	if (take) {
		w->layers[from] -= some;
		w->layers[to] += some;
	}
	for (int s = 0; s < p->stages; s++)
		if (w->touched[s]) {
			(take ? w->level : w->next_level)[s] = (take ? w->next_level : w->level)[s];
			w->touched[s] = 0;
		}
}

/*
 * Try to move some layers from a random piece to another piece. Every other time the piece is on STAGE, which has the
 * highest level. Undo the move if it raises the sum by more than the heat allows; ANYWHERE: never undo it.
 */
static void
move(struct repair *w, int stage, bool anywhere)
{
	const struct problem *p = w->p;
	int from = xorshift_below(&w->random, p->pieces), to = xorshift_below(&w->random, p->pieces), some;
	double sum = INFINITY;

	if (xorshift_below(&w->random, 2) == 0)
		from = from / p->stages * p->stages + stage;
	if (from == to || w->layers[from] <= p->fewest[from])
		return;
	some = w->layers[from] < COARSE ? 1 : 1 + xorshift_below(&w->random, w->layers[from] / COARSE * 2);
	if (look(w, from, to, some))
		sum = above_target(w, w->next_level);
	if (sum <= w->sum + w->heat * xorshift_unit(&w->random) || (anywhere && sum < INFINITY)) {
		w->sum = sum;
		settle(w, from, to, some, true);
	} else
		settle(w, from, to, some, false);
}

/* Restart from the best layout after a few random moves. */
static void
begin_anew(struct repair *w)
{
	const struct problem *p = w->p;

	memcpy(w->layers, w->best, (size_t)p->pieces * sizeof *w->layers);
	candidate_lay_out(p, w->layers, &w->now);
	candidate_copy(p, &w->next, &w->now);
	for (int n = 0; n < p->pieces; n++)
		w->first[n + 1] = w->first[n] + w->layers[p->piece[n]];
	for (int s = 0; s < p->stages; s++)
		w->next_level[s] = w->level[s] = level_of(w, &w->now, s);
	for (int i = 0; i < p->pieces / 4 + 2; i++)
		move(w, xorshift_below(&w->random, p->stages), true);
}

void
repair_run(struct repair *w, long moves, double enough, double deadline)
{
	const struct problem *p = w->p;

	for (long i = 0; i < moves && w->least < INFINITY && w->excess > enough; i++, w->since++, w->moves++) {
		double now, left;
		int at, stage;

		/*
		 * The clock is checked only after a fixed amount of work, so that small problems have the same answer
		 * on any machine.
		 */
		if (w->moves * p->pieces > UNTIMED && w->moves % CHECK_EVERY == 0 && !clock_left(deadline))
			break;
		now = worst(p, w->level, &at);
		if (now < w->least || w->since > STALE * p->pieces) {
			w->far = now < w->least ? w->far : w->far > NEAR ? w->far / 2 : FAR;
			w->rounds = now < w->least ? 0 : w->rounds + 1;
			if (now < w->least) {
				w->least = now;
				w->excess = excess_of(w, &w->now, &stage);
				memcpy(w->best, w->layers, (size_t)p->pieces * sizeof *w->best);
			}
			if (w->rounds > ROUNDS) {
				begin_anew(w);
				w->rounds = 0;
			}
			w->since = 0;
			w->target = w->least * (1 - w->far);
			w->sum = above_target(w, w->level);
		}
		/*
		 * The heat falls during a turn (threshold accepting, Dueck and Scheuer 1990, with random thresholds).
		 */
		left = 1 - (double)w->since / (STALE * p->pieces);
		w->heat = HEAT * w->least * left * left;
		move(w, at, false);
	}
}

double
repair_best(const struct repair *w, struct candidate *out, int *stage)
{
	if (w->least == INFINITY)
		return INFINITY;
	candidate_lay_out(w->p, w->best, out);
	return excess_of(w, out, stage);
}

double
repair(const struct problem *p, long moves, double deadline, struct candidate *c, int *stage)
{
	int layers[p->pieces], sum = 0;
	struct repair *w;
	double mb;

	for (int i = 0; i < p->pieces; i++)
		sum += layers[i] = p->contents.content[c->content[i]].layers;
	for (int i = 0; sum != p->net->layers; i++, sum++)
		layers[i % p->pieces]++;
	w = repair_new(p, layers, NULL);
	repair_run(w, moves, MEMORY_SLACK, deadline);
	mb = repair_best(w, c, stage);
	repair_free(w);
	return mb;
}
