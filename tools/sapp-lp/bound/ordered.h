/*
 * Ordered relaxation: a lower bound on the step time over means of layouts, in which layers stand in the model's order
 * and each piece holds a whole number of them; the limits of memory hold in the mean only. A layout against a path is
 * a game whose value that is: both sides answer the mean of what the other has played with a soft best response, more
 * sharply in every round (optimistic multiplicative weights, Rakhlin and Sridharan 2013), and any mean of paths and
 * prices of memory proves a bound by weak duality.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "relaxation.h"

struct ordered;

/* NULL: there are too many layouts, or nothing to gain: with one kind of layers, or one chunk a stage. */
struct ordered *ordered_new(const struct problem *);
void ordered_free(struct ordered *);
/*
 * Up to ROUNDS rounds more, until DEADLINE (s of clock.h), for plans shorter than HORIZON (ms). The first time it
 * begins with the mean of paths and prices of FROM.
 */
void ordered_run(struct ordered *, const struct relaxed *from, double horizon, long rounds, double deadline);
double ordered_work(const struct ordered *);	/* of a round, in operations simulated in about its time */
double ordered_bound(const struct ordered *);	/* ms, below every plan, or the horizon it was found for */
/* The mean of paths that proves it; NULL: no round was played. */
const struct visits *ordered_weight(const struct ordered *);
double ordered_terms(const struct ordered *);	/* whose rounding is in that */
bool ordered_slow(const struct ordered *);	/* the last rounds hardly raised it */
bool ordered_done(const struct ordered *, double horizon);	/* and more hardly would, for plans shorter than that */

#endif
