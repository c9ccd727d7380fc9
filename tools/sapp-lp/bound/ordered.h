/*
 * Ordered relaxation: a lower bound on the step time over convex combinations of layouts, each of whole layers in model
 * order; memory limits hold only for the combination. It is the value of a matrix game of layouts against paths, with
 * prices of memory as Lagrange multipliers. In each round both sides play a soft best response to the mean of the
 * other's plays, with growing sharpness (optimistic multiplicative weights, Rakhlin and Sridharan 2013). Any mean of
 * paths and prices of memory proves a bound by weak duality.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "relaxation.h"

struct ordered;

/* Return NULL if there are too many layouts, or nothing to gain: one kind of layers, or one chunk per stage. */
struct ordered *ordered_new(const struct problem *);
void ordered_free(struct ordered *);
/*
 * Play up to ROUNDS more rounds, until DEADLINE (s of clock.h), for plans shorter than HORIZON (ms). The first call
 * starts with the mean of paths and prices of FROM.
 */
void ordered_run(struct ordered *, const struct relaxed *from, double horizon, long rounds, double deadline);
double ordered_work(const struct ordered *);	/* work of a round, as a number of simulated operations */
double ordered_bound(const struct ordered *);	/* ms, below every plan, or the horizon at which it was found */
/* Return the mean of paths that proves the bound, or NULL before the first round. */
const struct visits *ordered_weight(const struct ordered *);
double ordered_terms(const struct ordered *);	/* terms in that mean, for rounding */
bool ordered_slow(const struct ordered *);	/* the last rounds gained little */
/* Return whether further rounds would gain little for plans shorter than HORIZON. */
bool ordered_done(const struct ordered *, double horizon);

#endif
