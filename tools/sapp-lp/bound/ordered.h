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
struct stand;		/* how far the rounds have come within some borders */

/* NULL: there are too many layouts, or nothing to gain: with one kind of layers, or one chunk a stage. */
struct ordered *ordered_new(const struct problem *);
void ordered_free(struct ordered *);
/*
 * Up to ROUNDS rounds more, until DEADLINE (s of clock.h), for plans shorter than HORIZON (ms). The first time it
 * begins with the mean of paths and prices of FROM.
 */
void ordered_run(struct ordered *, struct stand *, const struct relaxed *from, double horizon, long rounds,
    double deadline);
double ordered_work(const struct ordered *);	/* of a round, in operations simulated in about its time */

struct stand *stand_new(struct ordered *);	/* anywhere */
/* What is to be gone on with for plans that besides have a border WITHIN some range, from what is known so far. */
struct stand *stand_part(struct ordered *, const struct stand *, int border, struct range within);
void stand_free(struct stand *);
/* ms, below every plan within its borders, or the horizon it was found for. */
double stand_bound(const struct stand *);
/* The mean of paths that proves it; NULL: no round was played. */
const struct visits *stand_weight(const struct stand *);
double stand_terms(const struct ordered *, const struct stand *);	/* whose rounding is in that */
bool stand_done(const struct stand *, double horizon);	/* more rounds hardly would, for plans shorter than that */
/*
 * A border that layers cross in the mean of what was played, some of a later body standing before some of body *BORDER
 * or an earlier one. *LAST of the lower half is between them. False when all are about in the model's order.
 */
bool stand_crossed(const struct ordered *, const struct stand *, int *border, int *last);
const struct range *stand_borders(const struct stand *);	/* [bodies - 1] */

#endif
