/*
 * Lack: what limits lack at the least for any plan to fit.  A stage has a capacity, in layers, and that grows with its
 * limit; the limits are too low as long as all capacities together are below the layers that there are.
 */
#ifndef LACK_H
#define LACK_H

#include <lpsolve/lp_lib.h>

#include "sapp-lp/model/problem.h"

struct lack {
	const struct problem *p;
	lprec **lp;		/* [stages], its capacity as a linear programme */
	double *worth;		/* [bodies], of a layer, in which capacities are measured */
	double *kept;		/* [bodies], MB of activations of a layer and micro-batch, everything recomputed */
	double needed;		/* worth of all layers */
};

struct lack lack_new(const struct problem *);
void lack_free(struct lack *);

/* Whether limits raised by so many MB are too low for any plan: true is a proof. */
bool lack_short(const struct lack *, double raise);
/*
 * MB by which every limit must be raised at the least, proved to 1e-7 MB, and not above ENOUGH, with which a
 * plan is known; less than that where DEADLINE (s of clock.h) comes first. -INFINITY: not even the limits as they are
 * are known to be too low.
 */
double lack_at_least(const struct lack *, double enough, double deadline);

/* With one body, LAYERS[pieces] of a plan that fits limits raised by RAISE MB; false: none was found, though there may be one. */
bool lack_fill(const struct lack *, double raise, int *layers);

#endif
