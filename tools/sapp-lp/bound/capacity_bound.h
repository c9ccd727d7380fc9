/*
 * Capacity bound: proves that no plan fits the memory limits, and bounds how much the limits must rise. The capacity of
 * a stage is an upper bound on the layers that fit its limit with everything recomputed. If the sum of capacities is
 * below the number of the model's layers, no plan fits. The bound is a relaxation: layers may be fractional and in any
 * order.
 */
#ifndef CAPACITY_BOUND_H
#define CAPACITY_BOUND_H

#include "lib/linear/lp.h"
#include "sapp-lp/model/problem.h"

struct capacity_bound {
	const struct problem *p;
	struct lp **lp;		/* [stages], linear programme of each stage's capacity */
	/* [bodies], size of a layer in units of capacity: 1 with one body, otherwise about its MB */
	double *worth;
	double **transient;	/* [stages][rows], minimum MB in use only while a piece runs */
	double needed;		/* capacity that all layers together need */
};

struct capacity_bound capacity_bound_new(const struct problem *);
void capacity_bound_free(struct capacity_bound *);

/* Return true if no plan fits when all limits are raised by RAISE MB. A result of false proves nothing. */
bool capacity_too_small(const struct capacity_bound *, double raise);
/*
 * Return a lower bound on the MB by which every limit must rise until a plan fits. ENOUGH: a raise for which a plan is
 * known, MB. Bisects capacity_too_small() down to 1e-7 MB below ENOUGH; the bound is weaker if DEADLINE (s of
 * clock_now()) comes first. Negative: limits could be lower; -INFINITY: unknown.
 */
double capacity_least_raise(const struct capacity_bound *, double enough, double deadline);

/*
 * With one body, get LAYERS[pieces] of a plan that fits limits raised by RAISE MB. Return false if none was found. A
 * result of false proves nothing.
 */
bool capacity_fill(const struct capacity_bound *, double raise, int *layers);

#endif
