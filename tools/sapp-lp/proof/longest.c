#include "longest.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

struct longest
longest_new(const struct problem *p)
{
	const struct evaluator *e = &p->evaluator;
	struct longest c = { .p = p };
	uint32_t *count = xcalloc((size_t)e->clocks, sizeof *count);

	c.end = xcalloc((size_t)e->noperations + 1, sizeof *c.end);
	c.place = xcalloc((size_t)e->noperations, sizeof *c.place);
	c.at = xcalloc((size_t)e->noperations, sizeof *c.at);
	c.first = xcalloc((size_t)e->clocks + 1, sizeof *c.first);
	for (uint32_t i = 0; i < e->noperations; i++)
		c.place[i] = (int)count[e->operation[i].stage]++;
	for (int s = 0; s < e->clocks; s++)
		c.first[s + 1] = c.first[s] + count[s];
	for (uint32_t i = 0; i < e->noperations; i++)
		c.at[c.first[e->operation[i].stage] + (uint32_t)c.place[i]] = i;
	free(count);
	return c;
}

void
longest_free(struct longest *c)
{
	free(c->end);
	free(c->place);
	free(c->at);
	free(c->first);
	free(c->step);
}

uint32_t
longest_operation(const struct longest *c, int stage, int n)
{
	return c->at[c->first[stage] + (uint32_t)n];
}

/* Return whether an operation's dependency is on another stage and ends later than its predecessor. */
static bool
waits(const struct longest *c, uint32_t i)
{
	const struct evaluator *e = &c->p->evaluator;

	return c->end[e->needs[i]] + e->delay[e->edge[i]] > c->end[e->previous[i]];
}

double
longest_find(struct longest *c, const double *cost)
{
	const struct evaluator *e = &c->p->evaluator;
	uint32_t at = 0;

	for (uint32_t i = 0; i < e->noperations; i++) {
		double begin = waits(c, i) ? c->end[e->needs[i]] + e->delay[e->edge[i]] : c->end[e->previous[i]];

		c->end[i + 1] = begin + cost[e->operation[i].slot];
		at = c->end[i + 1] > c->end[at] ? i + 1 : at;
	}
	c->nsteps = 0;
	for (uint32_t i = at; i > 0; ) {
		struct step *s = c->nsteps > 0 ? &c->step[c->nsteps - 1] : NULL;
		int place = c->place[i - 1], stage = e->operation[i - 1].stage;

		if (s != NULL && s->stage == stage)
			s->first = place;
		else
			*APPEND(c->step, c->nsteps) = (struct step){ stage, place, place };
		i = waits(c, i - 1) ? e->needs[i - 1] : e->previous[i - 1];
	}
	for (int i = 0; i < c->nsteps / 2; i++) {
		struct step other = c->step[i];

		c->step[i] = c->step[c->nsteps - 1 - i];
		c->step[c->nsteps - 1 - i] = other;
	}
	return c->end[at];
}
