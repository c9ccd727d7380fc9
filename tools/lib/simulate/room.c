#include "room.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "simulation.h"

#define SLACK 1e-9	/* relative rounding error of sums of memory */

/*
 * Return the maximum MB that a stage holds along its order. Set *LIVE to the maximum number of forwards held at once.
 */
static double
held(const struct schedule *s, const struct load *l, int stage, int *live)
{
	double memory = 0, most = 0;
	int chunks = 0;

	*live = 0;
	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		struct op op = s->op[i];

		chunks += op.phase == PHASE_F ? 1 : op.phase == PHASE_I ? 0 : -1;
		*live = chunks > *live ? chunks : *live;
		most = fmax(most, simulation_held(l, stage, &s->op[i], memory));
		memory += simulation_memory(l, stage, op);
	}
	return most;
}

struct room
room_of(const struct schedule *s, const struct load *l)
{
	struct room r = { .memory = list_new(s->stages), .live = xcalloc((size_t)s->stages, sizeof *r.live) };

	for (int i = 0; i < s->stages; i++)
		r.memory.at[i] = held(s, l, i, &r.live[i]);
	return r;
}

void
room_free(struct room *r)
{
	free(r->memory.at);
	free(r->live);
	*r = (struct room){ 0 };
}

double
room_most(const struct room *r, int stage)
{
	return list_get(r->memory, stage) * (1 + SLACK);
}

bool
room_enough(const struct room *r, const struct schedule *s, const struct load *l)
{
	for (int i = 0; i < s->stages; i++) {
		int live;

		if (held(s, l, i, &live) > room_most(r, i) ||
		    (r->live != NULL && live > r->live[i]))
			return false;
	}
	return true;
}
