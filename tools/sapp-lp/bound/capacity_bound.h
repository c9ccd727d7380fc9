/*
 * Capacity bound: a proof that no plan fits into the memory limits, and a lower bound on how much they must be raised.
 * A stage's capacity is an upper bound on the layers that fit within its limit, everything recomputed; where the
 * capacities together are below the layers of the model, no plan fits.  A relaxation: layers may be fractions, in any
 * order.
 */
#ifndef CAPACITY_BOUND_H
#define CAPACITY_BOUND_H

#include "sapp-lp/model/problem.h"
#include "lp.h"

struct capacity_bound {
	const struct problem *p;
	struct lp **lp;		/* [stages], the linear programme of its capacity */
	double *worth;		/* [bodies], of a layer, the unit of capacities: 1 with one body, else about its MB */
	double **transient;	/* [stages][rows], the least MB that are there only while a piece runs */
	double needed;		/* worth of all layers together */
};

struct capacity_bound capacity_bound_new(const struct problem *);
void capacity_bound_free(struct capacity_bound *);

/* Whether limits raised by RAISE MB are too low for any plan. True is a proof; false says nothing. */
bool capacity_too_small(const struct capacity_bound *, double raise);
/*
 * A lower bound on the MB by which every limit must be raised for any plan to fit: the largest raise that is too small
 * by capacity_too_small(), by bisection to 1e-7 MB below ENOUGH, a raise with which a plan is known; a weaker bound if
 * DEADLINE (s of clock.h) comes first. Negative: the limits could be lower; -INFINITY: no bound is known.
 */
double capacity_least_raise(const struct capacity_bound *, double enough, double deadline);

/*
 * With one body: LAYERS[pieces] of a plan that fits limits raised by RAISE MB. False when none was found, which is no
 * proof that there is none.
 */
bool capacity_fill(const struct capacity_bound *, double raise, int *layers);

#endif
