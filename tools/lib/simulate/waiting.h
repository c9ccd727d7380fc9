/* Waiting: the time in which a stage runs nothing between its operations, by what it waits for. */
#ifndef WAITING_H
#define WAITING_H

#include "lib/schedule/schedule.h"

struct waiting {
	double forward, backward;	/* ms: data to go on with */
	double comm;			/* ms: data that are on their way */
};

static inline double
waiting_positive(double x)
{
	return x > 0 ? x : 0;
}

/* From FREE_AT to START, for data of a PHASE that were READY elsewhere. */
static inline void
waiting_add(struct waiting *w, enum phase phase, double free_at, double start, double ready)
{
	double all = start - free_at, way = start - ready, travel = waiting_positive(all < way ? all : way);

	w->comm += travel;
	*(phase == PHASE_F ? &w->forward : &w->backward) += waiting_positive(all - travel);
}

#endif
