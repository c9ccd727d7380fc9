/* Dynamic programming over the stages: least sums and least maxima of the costs of arcs. */
#include "stage_dp.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/each_width.h"
#include "dp_arc.h"

/* Arcs are refined that are part of ways so much longer, in parts of how much refining has raised the shortest. */
static const double AHEAD = 0.5;

double
stage_dp_states(const struct problem *p)
{
	double n = 1;

	if (p->chunks == 1)
		return p->net->layers + 1;
	for (int b = 0; b < p->net->nbodies; b++)
		n *= p->net->body[b].layers + 1;
	return n;
}

/* TO[n], and which arc it is by, CHOICE[n] (may be NULL), where ARC of COST from FROM[n] is better. */
EACH_WIDTH static void
improve(int n, const double *restrict from, double cost, int arc, double *restrict to, int *restrict choice)
{
	for (int i = 0; i < n && choice == NULL; i++) {
		double sum = from[i] + cost;

		to[i] = sum < to[i] ? sum : to[i];
	}
	for (int i = 0; i < n && choice != NULL; i++) {
		double sum = from[i] + cost;

		choice[i] = sum < to[i] ? arc : choice[i];
		to[i] = sum < to[i] ? sum : to[i];
	}
}

/* Least sums of costs, of every state at every stage; INFINITY: there is no way. */
struct sums {
	double *of;		/* [stages + 1][states] */
	struct span {
		int low, end;
	} *span;		/* [stages + 1][rows], the states of a row that have a way; one chunk a stage: NULL */
};

static int
rows_of(const struct arcs *o)
{
	return o->runs ? 0 : o->states / o->width;
}

static double *
sums_at(const struct arcs *o, const struct sums *t, int stage)
{
	return t->of + (size_t)stage * (size_t)o->states;
}

static const struct span *
spans_at(const struct arcs *o, const struct sums *t, int stage)
{
	return t->span + (size_t)stage * (size_t)rows_of(o);
}

static struct sums
sums_new(const struct arcs *o)
{
	size_t n = (size_t)o->patterns->problem->stages + 1;
	struct sums t = { xcalloc(n * (size_t)o->states, sizeof *t.of), NULL };

	for (size_t i = 0; i < n * (size_t)o->states; i++)
		t.of[i] = INFINITY;
	if (!o->runs)
		t.span = xcalloc(n * (size_t)rows_of(o), sizeof *t.span);
	return t;
}

static void
sums_free(struct sums *t)
{
	free(t->of);
	free(t->span);
}

/* The spans of a stage whose sums are all there. */
static void
find_spans(const struct arcs *o, struct sums *t, int stage)
{
	for (int row = 0; row < rows_of(o); row++) {
		const double *of = sums_at(o, t, stage) + (size_t)row * (size_t)o->width;
		struct span *span = &t->span[(size_t)stage * (size_t)rows_of(o) + (size_t)row];

		*span = (struct span){ 0, o->width };
		while (span->low < span->end && of[span->low] == INFINITY)
			span->low++;
		while (span->low < span->end && of[span->end - 1] == INFINITY)
			span->end--;
	}
}

/* The states of a row that have a way, and from which ADVANCE leads to others with one; AFTER may be NULL. */
static struct span
meet(const struct arcs *o, int row, int advance, const struct span *before, const struct span *after)
{
	struct span span = before[row];
	int leave;

	if (span.low >= span.end)
		return span;
	leave = arcs_leave(o, row, advance);
	span.end = span.end < leave ? span.end : leave;
	if (after != NULL && span.low < span.end) {
		struct span to = after[row + advance / o->width];
		int by = advance % o->width;

		span.low = span.low > to.low - by ? span.low : to.low - by;
		span.end = span.end < to.end - by ? span.end : to.end - by;
	}
	return span;
}

/* One stage of several chunks: from the states before it to those after it; and CHOICE, as in sweep(). */
static void
step(const struct arcs *o, int stage, struct sums *t, int *choice)
{
	const double *from = sums_at(o, t, stage);
	double *to = sums_at(o, t, stage + 1);

	for (int i = 0; i < o->n[stage]; i++)
		for (int row = 0; row < rows_of(o); row++) {
			const struct arc *f = &o->arc[stage][i];
			struct span span = meet(o, row, f->advance, spans_at(o, t, stage), NULL);
			int at = row * o->width + span.low;

			if (span.low < span.end)
				improve(span.end - span.low, &from[at], f->cost, i, &to[at + f->advance],
				    choice != NULL ? &choice[at + f->advance] : NULL);
		}
}

/* The same, one chunk a stage. */
static void
step_runs(const struct arcs *o, int stage, struct sums *t, int *choice)
{
	const double *from = sums_at(o, t, stage);
	double *to = sums_at(o, t, stage + 1);
	int n = arcs_count(o, stage);

	for (int state = 0; state < o->states; state++)
		for (int i = 0; i < n && from[state] < INFINITY; i++) {
			const struct arc *f = arc_at(o, stage, state, i);
			double sum;

			if (f == NULL)
				continue;
			sum = from[state] + f->cost;
			if (sum < to[state + f->advance]) {
				to[state + f->advance] = sum;
				if (choice != NULL)
					choice[state + f->advance] = (int)(f - o->arc[stage]);
			}
		}
}

/*
 * The least sum of costs of arcs of the stages before each that lead to a state. CHOICE[stages + 1][states], if given:
 * the last of those arcs. False: the deadline has passed.
 */
static bool
sweep(const struct arcs *o, struct sums *t, int *choice)
{
	const struct problem *p = o->patterns->problem;

	t->of[0] = 0;
	find_spans(o, t, 0);
	for (int s = 0; s < p->stages; s++) {
		if (!clock_left(o->patterns->deadline))
			return false;
		(o->runs ? step_runs : step)(o, s, t,
		    choice != NULL ? choice + (size_t)(s + 1) * (size_t)o->states : NULL);
		find_spans(o, t, s + 1);
	}
	return true;
}

/* The arcs with the least sum over all stages: CHOSEN[stages]. INFINITY: none; -INFINITY: out of time. */
static double
choose(const struct arcs *o, const struct arc **chosen)
{
	int stages = o->patterns->problem->stages, state = o->states - 1;
	int *choice = xcalloc((size_t)(stages + 1) * (size_t)o->states, sizeof *choice);
	struct sums t = sums_new(o);
	double least = sweep(o, &t, choice) ? sums_at(o, &t, stages)[state] : -INFINITY;

	for (int s = stages - 1; s >= 0 && isfinite(least); s--) {
		chosen[s] = &o->arc[s][choice[(size_t)(s + 1) * (size_t)o->states + (size_t)state]];
		state -= chosen[s]->advance;
	}
	sums_free(&t);
	free(choice);
	return least;
}

/*
 * The least sum of costs of the stages from each on that leads from a state to the last one, of the states that have a
 * way in BEFORE. False: out of time.
 */
static bool
sweep_back(const struct arcs *o, const struct sums *before, struct sums *t)
{
	int stages = o->patterns->problem->stages;

	sums_at(o, t, stages)[o->states - 1] = 0;
	find_spans(o, t, stages);
	for (int s = stages - 1; s >= 0; s--) {
		double *to = sums_at(o, t, s);
		const double *from = sums_at(o, t, s + 1);

		if (!clock_left(o->patterns->deadline))
			return false;
		for (int i = 0; i < o->n[s] && !o->runs; i++)
			for (int row = 0; row < rows_of(o); row++) {
				const struct arc *f = &o->arc[s][i];
				struct span span = meet(o, row, f->advance, spans_at(o, before, s),
				    spans_at(o, t, s + 1));
				int at = row * o->width + span.low;

				if (span.low < span.end)
					improve(span.end - span.low, &from[at + f->advance], f->cost, 0, &to[at],
					    NULL);
			}
		for (int state = 0, n = arcs_count(o, s); state < o->states && o->runs; state++)
			for (int i = 0; i < n && sums_at(o, before, s)[state] < INFINITY; i++) {
				const struct arc *f = arc_at(o, s, state, i);

				if (f != NULL && f->cost + from[state + f->advance] < to[state])
					to[state] = f->cost + from[state + f->advance];
			}
		find_spans(o, t, s);
	}
	return true;
}

/* The least BEFORE[n] + AFTER[n]. */
EACH_WIDTH static double
least_sum(int n, const double *before, const double *after)
{
	struct lanes l;
	double least = INFINITY;
	int i = 0;

	for (int k = 0; k < LANES; k++)
		l.at[k] = INFINITY;
	for (; i + LANES <= n; i += LANES)
		for (int k = 0; k < LANES; k++) {
			double sum = before[i + k] + after[i + k];

			l.at[k] = sum < l.at[k] ? sum : l.at[k];
		}
	for (; i < n; i++)
		l.at[0] = before[i] + after[i] < l.at[0] ? before[i] + after[i] : l.at[0];
	for (int k = 0; k < LANES; k++)
		least = l.at[k] < least ? l.at[k] : least;
	return least;
}

/* The least sum over all stages with an arc, from the least sums before the stage and after it. */
static double
sum_with(const struct arcs *o, int stage, int advance, double cost, const struct sums *before, const struct sums *after)
{
	double least = INFINITY;

	for (int row = 0; row < rows_of(o); row++) {
		struct span span = meet(o, row, advance, spans_at(o, before, stage), spans_at(o, after, stage + 1));
		int at = row * o->width + span.low;

		if (span.low < span.end)
			least = fmin(least, least_sum(span.end - span.low, sums_at(o, before, stage) + at,
			    sums_at(o, after, stage + 1) + at + advance));
	}
	return least + cost;
}

/* Refine the arcs that are part of a way of at most SUM; returns how many rose. Several chunks a stage. */
static long
refine_below(struct arcs *o, double sum)
{
	struct sums before = sums_new(o), after = sums_new(o);
	long rose = 0;

	if (sweep(o, &before, NULL) && sweep_back(o, &before, &after))
		for (int s = 0; s < o->patterns->problem->stages; s++)
			for (int i = 0; i < o->n[s] && clock_left(o->patterns->deadline); i++) {
				const struct arc *f = &o->arc[s][i];

				if (o->priced[s][f->pattern].open &&
				    sum_with(o, s, f->advance, f->cost, &before, &after) <= sum)
					rose += arcs_refine(o, s, f);
			}
	sums_free(&before);
	sums_free(&after);
	return rose;
}

/* Arcs whose cost is only a lower bound are refined where they are chosen, until the choice stays the same. */
static double
solve(struct arcs *o, struct candidate *out)
{
	const struct patterns *c = o->patterns;
	const struct problem *p = c->problem;
	const struct arc *chosen[p->stages];
	double least, first = -INFINITY;
	bool more;
	int mix[p->chunks];

	do {
		least = choose(o, chosen);
		more = false;
		if (first == -INFINITY)
			first = least;
		else if (!o->runs && isfinite(least))
			more = refine_below(o, least + AHEAD * (least - first)) > 0;
		for (int s = 0; s < p->stages && isfinite(least); s++)
			more |= arcs_refine(o, s, chosen[s]);
	} while (more && clock_left(c->deadline));
	for (int s = 0; s < p->stages && isfinite(least) && out != NULL; s++) {
		pattern_setting(o, s, chosen[s]->pattern, mix);
		for (int v = 0; v < p->chunks; v++) {
			out->content[v * p->stages + s] = c->pattern[s][chosen[s]->pattern].content[v];
			out->mix[v * p->stages + s] = mix[v];
		}
	}
	return least;
}

double
stage_dp_proved(const struct problem *p, double sum, int paths)
{
	/*
	 * Every term is a weight, a mean of PATHS, times a time, a sum over layers; W - I is the only difference in
	 * it.
	 */
	return proved_bound(p, sum, 2 * fabs(sum), paths + 8.0 * p->pieces + p->net->nbodies * RECOMPUTE_KINDS);
}

/*
 * LEAST[patterns of the stage]: the least sum over all stages with each pattern, from the least sums before the stage
 * and after it.
 */
static void
sum_patterns(const struct arcs *o, int stage, const struct sums *t, const struct sums *u, double *least)
{
	const double *before = sums_at(o, t, stage), *after = sums_at(o, u, stage + 1);

	for (int i = 0; i < o->patterns->n[stage]; i++) {
		int advance = o->runs ? -1 : o->priced[stage][i].advance;

		least[i] = advance >= 0 ? sum_with(o, stage, advance, o->priced[stage][i].cost, t, u) : INFINITY;
	}
	for (int state = 0, n = arcs_count(o, stage); state < o->states && o->runs; state++)
		for (int i = 0; i < n && before[state] < INFINITY; i++) {
			const struct arc *f = arc_at(o, stage, state, i);

			if (f != NULL && before[state] + f->cost + after[state + f->advance] < least[f->pattern])
				least[f->pattern] = before[state] + f->cost + after[state + f->advance];
		}
}

static long
trim(struct patterns *c, struct arcs *o, const struct visits *weight, double horizon)
{
	const struct problem *p = c->problem;
	struct sums before = sums_new(o), after = sums_new(o);
	bool done = sweep(o, &before, NULL) && sweep_back(o, &before, &after);
	long dropped = 0;

	for (int s = 0; s < p->stages && done && clock_left(c->deadline); s++) {
		double *least = xcalloc((size_t)c->n[s], sizeof *least);

		sum_patterns(o, s, &before, &after, least);
		dropped += patterns_drop(c, s, least, weight->delay, horizon);
		free(least);
	}
	sums_free(&before);
	sums_free(&after);
	return dropped;
}

long
stage_dp_trim(struct patterns *c, const struct visits *weight, double horizon)
{
	struct arcs o = arcs_new(c, weight);
	long dropped = trim(c, &o, weight, horizon);

	arcs_free(&o);
	return dropped;
}

double
stage_dp_price(struct patterns *c, const struct visits *weight, double above, double horizon, struct candidate *out)
{
	struct arcs o = arcs_new(c, weight);
	double least = solve(&o, out) + weight->delay;

	if (least > above && least < horizon)
		trim(c, &o, weight, horizon);
	arcs_free(&o);
	return least;
}
