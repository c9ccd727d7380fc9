/* Critical paths: one pass forward for all plans, then a walk back for each plan. */
#include "critical_paths.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"

struct critical_paths
critical_paths_new(const struct evaluator *o)
{
	struct critical_paths c = {
		.evaluator = o,
		.cost = evaluator_lanes((size_t)o->slots),
		.end = evaluator_lanes(o->registers),
		.clock = evaluator_lanes((size_t)o->clocks),
		.waited = xcalloc((size_t)o->noperations, sizeof *c.waited),
		.last = xcalloc((size_t)o->clocks, sizeof *c.last),
	};

	for (uint32_t i = 0; i < o->noperations; i++)
		c.last[o->operation[i].stage] = i + 1;
	for (int l = 0; l < LANES; l++)
		c.path[l].at = xcalloc((size_t)o->slots, sizeof *c.path[l].at);
	return c;
}

void
critical_paths_free(struct critical_paths *c)
{
	free(c->cost);
	free(c->end);
	free(c->clock);
	free(c->waited);
	free(c->last);
	for (int l = 0; l < LANES; l++)
		free(c->path[l].at);
}

/* Compute end times as in evaluator_run(), and set the bits. */
EACH_WIDTH static void
run(const struct evaluator *o, const struct lanes *restrict cost, struct lanes *restrict end,
    struct lanes *restrict clock, uint8_t *restrict waited)
{
	for (uint32_t i = 0; i < o->noperations; i++) {
		const double *need = end[o->operation[i].from].at, *c = cost[o->operation[i].slot].at;
		double *own = clock[o->operation[i].stage].at, *out = end[o->operation[i].to].at;
		double delay = o->delay[o->edge[i]], t[LANES];
		unsigned bits = 0;

		for (int l = 0; l < LANES; l++) {
			double arrives = need[l] + delay;

			bits |= (unsigned)(own[l] < arrives) << l;
			t[l] = (own[l] < arrives ? arrives : own[l]) + c[l];
		}
		for (int l = 0; l < LANES; l++)
			out[l] = own[l] = t[l];
		waited[i] = (uint8_t)bits;
	}
}

/* Walk back from the operation that ends last in plan L. */
static void
walk_back(struct critical_paths *c, int l, double longest)
{
	const struct evaluator *o = c->evaluator;
	struct visits *path = &c->path[l];
	uint32_t at = 0;

	for (int s = 0; s < o->whole; s++)
		if (c->clock[s].at[l] == longest && (at == 0 || c->last[s] < at))
			at = c->last[s];
	memset(path->at, 0, (size_t)o->slots * sizeof *path->at);
	path->delay = 0;
	while (at != 0) {
		uint32_t needs = o->needs[at - 1];
		bool waited = c->waited[at - 1] >> l & 1;

		path->at[o->operation[at - 1].slot]++;
		if (waited && needs != 0)
			path->delay += o->delay[o->edge[at - 1]];
		at = waited ? needs : o->previous[at - 1];
	}
}

struct lanes
critical_paths_find(struct critical_paths *c, int n)
{
	const struct evaluator *o = c->evaluator;
	struct lanes longest = { { 0 } };

	c->end[0] = longest;
	memset(c->clock, 0, (size_t)o->clocks * sizeof *c->clock);
	run(o, c->cost, c->end, c->clock, c->waited);
	for (int s = 0; s < o->whole; s++)
		for (int l = 0; l < LANES; l++)
			longest.at[l] = c->clock[s].at[l] > longest.at[l] ? c->clock[s].at[l] : longest.at[l];
	for (int l = 0; l < n; l++)
		walk_back(c, l, longest.at[l]);
	return longest;
}
