#include "stage_dp.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/tier.h"
#include "pattern_costs.h"

/*
 * A graph. Its states are the numbers of layers in the stages so far. Its arcs are the patterns of the next stage, with
 * their costs.
 */
struct arcs {
	struct pattern_costs costs;
	int states;		/* number of states: the first state has no layer placed, the last has all layers */
	int **at;		/* [stages][contents], 1 + index of the pattern with this content; 0: none */
	int *shortest, *longest;	/* [stages], number of layers of the smallest and of the largest pattern */
};

static int
layers_of(const struct arcs *o, int stage, int pattern)
{
	const struct patterns *c = o->costs.patterns;

	return c->problem->contents.content[*c->pattern[stage][pattern].content].layers;
}

static struct arcs
arcs_new(const struct patterns *c, const struct visits *weight)
{
	const struct problem *p = c->problem;
	struct arcs o = { .costs = pattern_costs_new(c, weight), .states = p->net->layers + 1 };

	o.at = xcalloc((size_t)p->stages, sizeof *o.at);
	o.shortest = xcalloc((size_t)p->stages, sizeof *o.shortest);
	o.longest = xcalloc((size_t)p->stages, sizeof *o.longest);
	for (int s = 0; s < p->stages; s++) {
		o.at[s] = xcalloc((size_t)p->contents.ncontents, sizeof **o.at);
		for (int i = 0; i < c->n[s]; i++) {
			int layers = layers_of(&o, s, i);

			o.at[s][*c->pattern[s][i].content] = i + 1;
			if (i == 0 || layers < o.shortest[s])
				o.shortest[s] = layers;
			if (layers > o.longest[s])
				o.longest[s] = layers;
		}
	}
	return o;
}

static void
arcs_free(struct arcs *o)
{
	for (int s = 0; s < o->costs.patterns->problem->stages; s++)
		free(o->at[s]);
	free(o->at);
	free(o->shortest);
	free(o->longest);
	pattern_costs_free(&o->costs);
}

/* Return the number of patterns that can follow a state. pattern_at() takes a NUMBER below it. */
static int
patterns_count(const struct arcs *o, int stage)
{
	return o->costs.patterns->n[stage] > 0 ? o->longest[stage] - o->shortest[stage] + 1 : 0;
}

/* Return the pattern with this NUMBER; -1: none. */
static int
pattern_at(const struct arcs *o, int stage, int state, int number)
{
	const struct problem *p = o->costs.patterns->problem;
	int content = contents_find(&p->contents, p->tier[stage], state, o->shortest[stage] + number);

	return content < 0 ? -1 : o->at[stage][content] - 1;
}

/* Return [stages + 1][states], the least sums of costs; INFINITY: the state cannot be reached. */
static double *
sums_new(const struct arcs *o)
{
	size_t n = ((size_t)o->costs.patterns->problem->stages + 1) * (size_t)o->states;
	double *sums = xcalloc(n, sizeof *sums);

	for (size_t i = 0; i < n; i++)
		sums[i] = INFINITY;
	return sums;
}

static size_t
at_stage(const struct arcs *o, int stage)
{
	return (size_t)stage * (size_t)o->states;
}

/*
 * Compute SUMS, the least sum of costs from the first state to each state. CHOICE (may be NULL), of the same size,
 * receives the last pattern of each way. Return false if the time is over.
 */
static bool
sweep(const struct arcs *o, double *sums, int *choice)
{
	const struct patterns *c = o->costs.patterns;

	sums[0] = 0;
	for (int s = 0; s < c->problem->stages; s++) {
		const double *from = sums + at_stage(o, s);
		double *to = sums + at_stage(o, s + 1);
		int n = patterns_count(o, s);

		if (!clock_left(c->deadline))
			return false;
		for (int state = 0; state < o->states; state++)
			for (int i = 0; i < n && from[state] < INFINITY; i++) {
				int pattern = pattern_at(o, s, state, i), next;
				double sum;

				if (pattern < 0)
					continue;
				next = state + o->shortest[s] + i;
				sum = from[state] + o->costs.priced[s][pattern].cost;
				if (sum >= to[next])
					continue;
				to[next] = sum;
				if (choice != NULL)
					choice[at_stage(o, s + 1) + (size_t)next] = pattern;
			}
	}
	return true;
}

/*
 * Compute SUMS, the least sum of costs to the last state from each state that BEFORE reaches. Return false if the time
 * is over.
 */
static bool
sweep_back(const struct arcs *o, const double *before, double *sums)
{
	const struct patterns *c = o->costs.patterns;
	int stages = c->problem->stages;

	sums[at_stage(o, stages) + (size_t)o->states - 1] = 0;
	for (int s = stages - 1; s >= 0; s--) {
		double *to = sums + at_stage(o, s);
		const double *from = sums + at_stage(o, s + 1), *reached = before + at_stage(o, s);
		int n = patterns_count(o, s);

		if (!clock_left(c->deadline))
			return false;
		for (int state = 0; state < o->states; state++)
			for (int i = 0; i < n && reached[state] < INFINITY; i++) {
				int pattern = pattern_at(o, s, state, i);

				if (pattern >= 0)
					to[state] = fmin(to[state], o->costs.priced[s][pattern].cost +
					    from[state + o->shortest[s] + i]);
			}
	}
	return true;
}

/*
 * Get the patterns with the least sum over all stages in CHOSEN[stages], and return this sum. Return INFINITY if no
 * plan exists, -INFINITY if the time is over.
 */
static double
choose(const struct arcs *o, int *chosen)
{
	int stages = o->costs.patterns->problem->stages, state = o->states - 1;
	int *choice = xcalloc((size_t)(stages + 1) * (size_t)o->states, sizeof *choice);
	double *sums = sums_new(o);
	double least = sweep(o, sums, choice) ? sums[at_stage(o, stages) + (size_t)state] : -INFINITY;

	for (int s = stages - 1; s >= 0 && isfinite(least); s--) {
		chosen[s] = choice[at_stage(o, s + 1) + (size_t)state];
		state -= layers_of(o, s, chosen[s]);
	}
	free(sums);
	free(choice);
	return least;
}

/* Return the least sum. Refine the costs of the chosen patterns until no refinement raises a cost. */
static double
solve(struct arcs *o, struct candidate *out)
{
	const struct patterns *c = o->costs.patterns;
	const struct problem *p = c->problem;
	int chosen[p->stages];
	double least;
	bool more;

	do {
		least = choose(o, chosen);
		more = false;
		for (int s = 0; s < p->stages && isfinite(least); s++)
			more |= pattern_costs_refine(&o->costs, s, chosen[s]);
	} while (more && clock_left(c->deadline));
	for (int s = 0; s < p->stages && isfinite(least) && out != NULL; s++) {
		out->content[s] = *c->pattern[s][chosen[s]].content;
		pattern_costs_setting(&o->costs, s, chosen[s], &out->mix[s]);
	}
	return least;
}

static long
trim(struct patterns *c, struct arcs *o, const struct visits *weight, double horizon)
{
	double *before = sums_new(o), *after = sums_new(o);
	bool done = sweep(o, before, NULL) && sweep_back(o, before, after);
	long dropped = 0;

	for (int s = 0; s < c->problem->stages && done && clock_left(c->deadline); s++) {
		const double *from = before + at_stage(o, s), *to = after + at_stage(o, s + 1);
		double *least = xcalloc((size_t)c->n[s], sizeof *least);

		for (int i = 0; i < c->n[s]; i++)
			least[i] = INFINITY;
		for (int state = 0, n = patterns_count(o, s); state < o->states; state++)
			for (int i = 0; i < n && from[state] < INFINITY; i++) {
				int pattern = pattern_at(o, s, state, i);

				if (pattern >= 0)
					least[pattern] = fmin(least[pattern], from[state] +
					    o->costs.priced[s][pattern].cost + to[state + o->shortest[s] + i]);
			}
		dropped += patterns_drop(c, s, least, weight->delay, horizon);
		free(least);
	}
	free(before);
	free(after);
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
