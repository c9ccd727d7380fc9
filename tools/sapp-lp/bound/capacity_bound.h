/*
 * Lack: what limits lack at the least for any plan to fit.  A stage has a capacity, in layers, and that grows with its
 * limit; the limits are too low as long as all capacities together are below the layers that there are.
 */
#ifndef CAPACITY_BOUND_H
#define CAPACITY_BOUND_H

#include <lpsolve/lp_lib.h>

#include "sapp-lp/model/problem.h"

struct capacity_bound {
	const struct problem *p;
	lprec **lp;		/* [stages], its capacity as a model programme */
	double *worth;		/* [bodies], of a layer, in which capacities are measured */
	double *kept;		/* [bodies], MB of activations of a layer and micro-batch, everything recomputed */
	double needed;		/* worth of all layers */
};

struct capacity_bound capacity_bound_new(const struct problem *);
void capacity_bound_free(struct capacity_bound *);

/* Whether limits raised by so many MB are too low for any plan: true is a proof. */
bool capacity_too_small(const struct capacity_bound *, double raise);
/*
 * MB by which every limit must be raised at the least, proved to 1e-7 MB, and not above ENOUGH, with which a
 * plan is known; less than that where DEADLINE (s of clock.h) comes first. -INFINITY: not even the limits as they are
 * are known to be too low.
 */
double capacity_least_raise(const struct capacity_bound *, double enough, double deadline);

/* With one body, LAYERS[pieces] of a plan that fits limits raised by RAISE MB; false: none was found, though there may be one. */
bool capacity_fill(const struct capacity_bound *, double raise, int *layers);

#endif
