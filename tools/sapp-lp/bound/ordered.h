/*
 * Ordered relaxation: a lower bound on the step time over convex combinations of layouts, each of whole layers in the
 * model's order; the limits of memory hold for the combination only.  It is the value of a matrix game of layouts
 * against paths, with prices of memory as Lagrange multipliers.  In each round both sides play a soft best response to
 * the mean of the other's plays, sharper from round to round (optimistic multiplicative weights, Rakhlin and Sridharan
 * 2013).  Any mean of paths and prices of memory proves a bound by weak duality.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "relaxation.h"

struct ordered;

/* NULL: there are too many layouts, or nothing to gain: with one kind of layers, or one chunk a stage. */
struct ordered *ordered_new(const struct problem *);
void ordered_free(struct ordered *);
/*
 * Play up to ROUNDS rounds more, until DEADLINE (s of clock.h), for plans shorter than HORIZON (ms). The first call
 * begins with the mean of paths and the prices of FROM.
 */
void ordered_run(struct ordered *, const struct relaxed *from, double horizon, long rounds, double deadline);
double ordered_work(const struct ordered *);	/* of a round, in operations simulated in about its time */
double ordered_bound(const struct ordered *);	/* ms, below every plan, or the horizon it was found for */
/* The mean of paths that proves it; NULL: no round was played. */
const struct visits *ordered_weight(const struct ordered *);
double ordered_terms(const struct ordered *);	/* how many terms are in that mean, for its rounding */
bool ordered_slow(const struct ordered *);	/* the last rounds hardly raised the bound */
bool ordered_done(const struct ordered *, double horizon);	/* more would hardly, for plans shorter than that */

#endif
