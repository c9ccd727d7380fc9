/* Idle time of a stage between operations, by cause. */
#ifndef WAITING_H
#define WAITING_H

#include "lib/schedule/schedule.h"

struct waiting {
	double forward, backward;	/* ms of waiting for data that are not computed yet */
	double comm;			/* ms of waiting for data in transfer */
};

static inline double
waiting_positive(double x)
{
	return x > 0 ? x : 0;
}

/*
 * Add the idle time from FREE_AT to START. The next operation needs the data of a PHASE that were READY on another
 * stage.
 */
static inline void
waiting_add(struct waiting *w, enum phase phase, double free_at, double start, double ready)
{
	double all = start - free_at, way = start - ready, travel = waiting_positive(all < way ? all : way);

	w->comm += travel;
	*(phase == PHASE_F ? &w->forward : &w->backward) += waiting_positive(all - travel);
}

#endif
