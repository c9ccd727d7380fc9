/*
 * Tempering: parallel tempering (Swendsen and Wang 1986) over plans, with the exact step time as energy. Each of LANES
 * replicas has its own temperature. They are changed and evaluated together, one per lane of vector instructions.
 * Replicas at neighbouring temperatures are exchanged periodically.
 */
#ifndef TEMPERING_H
#define TEMPERING_H

#include <stdint.h>

#include "sapp-lp/bound/path_cuts.h"

struct tempering;

/*
 * Start at the plans START[LANES], which must fit. The coldest replica starts at the first plan, which must be the
 * shortest. For steps with many operations all replicas start at the first plan. WEIGHT: a mean of paths, as importance
 * of the chunks' backward times; NULL: all are equal. PATHS: known long paths. The arguments need not outlive the call.
 * The result is deterministic for a SEED.
 */
struct tempering *tempering_new(const struct problem *, const struct candidate *const start[],
    const struct visits *weight, const struct path_cuts *paths, uint64_t seed);
/*
 * Do as much work as simulating ROUNDS changes of every replica. Return whether a better plan was found. Ends early at
 * DEADLINE (s of clock_now()).
 */
bool tempering_run(struct tempering *, long rounds, double deadline);
/* Replace the plan of the first replica by a plan found elsewhere. */
void tempering_take(struct tempering *, const struct candidate *);
double tempering_best(const struct tempering *, struct candidate *out);	/* return the best step, ms; OUT may be NULL */
/*
 * Return the number of plans compared. Add the number of simulated operations and the time spent to *OPERATIONS and
 * *SECONDS.
 */
long tempering_evaluations(const struct tempering *, double *operations, double *seconds);
void tempering_free(struct tempering *);

#endif
