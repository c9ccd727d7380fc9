/*
 * Ordered relaxation: a lower bound on the step time over convex combinations of layouts. Each layout has whole layers
 * in model order, but only their combination needs to respect the memory limits. The bound is the value of a matrix
 * game of layouts against paths, with prices of memory as Lagrange multipliers. In each round both sides play a soft
 * best response to the mean of the other side's plays. The sharpness of responses grows (optimistic multiplicative
 * weights, Rakhlin and Sridharan 2013). Any mean of paths and any prices of memory prove a bound by weak duality.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "relaxation.h"

struct ordered;

/*
 * Return NULL if the layouts are too many, or if nothing can be gained: with one kind of layers, or one chunk per
 * stage.
 */
struct ordered *ordered_new(const struct problem *);
void ordered_free(struct ordered *);
/*
 * Play up to ROUNDS more rounds until DEADLINE (s of clock_now()). Only plans shorter than HORIZON (ms) matter. The
 * first call starts with the mean of paths and the prices of FROM.
 */
void ordered_run(struct ordered *, const struct relaxed *from, double horizon, long rounds, double deadline);
double ordered_work(const struct ordered *);	/* work of a round, as an equivalent number of simulated operations */
/* return the bound, ms: below every plan, or the horizon of the run that found it */
double ordered_bound(const struct ordered *);
/* Return the mean of paths that proves the bound, or NULL before the first round. */
const struct visits *ordered_weight(const struct ordered *);
double ordered_terms(const struct ordered *);	/* number of terms in this mean, for rounding */
bool ordered_slow(const struct ordered *);	/* whether the last rounds gained little */
/* Return whether further rounds would gain little for plans shorter than HORIZON. */
bool ordered_done(const struct ordered *, double horizon);

#endif
