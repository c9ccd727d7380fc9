/*
 * Tempering: parallel tempering (Swendsen and Wang 1986) over plans, with the exact step time as energy. LANES
 * replicas, each at its own temperature, are changed and evaluated together, one per vector lane; replicas at
 * neighbouring temperatures are exchanged periodically.
 */
#ifndef TEMPERING_H
#define TEMPERING_H

#include <stdint.h>

#include "sapp-lp/bound/path_cuts.h"

struct tempering;

/*
 * Start at START[LANES], which must fit. The coldest replica starts at the first, which must be the shortest; for steps
 * with many operations all replicas start there. WEIGHT, a mean of paths: importance of chunks' backward times (NULL:
 * equal); PATHS: known long paths. The arguments need not outlive the call. Deterministic for a SEED.
 */
struct tempering *tempering_new(const struct problem *, const struct candidate *const start[],
    const struct visits *weight, const struct path_cuts *paths, uint64_t seed);
/*
 * Do the work of simulating ROUNDS changes to every replica. Return whether a better plan was found. Ends early at
 * DEADLINE (s of clock.h).
 */
bool tempering_run(struct tempering *, long rounds, double deadline);
/* Put a plan found elsewhere into the first replica. */
void tempering_take(struct tempering *, const struct candidate *);
double tempering_best(const struct tempering *, struct candidate *out);	/* step time, ms; OUT may be NULL */
/* Return the number of plans compared; add the simulated operations and the time to the arguments. */
long tempering_evaluations(const struct tempering *, double *operations, double *seconds);
void tempering_free(struct tempering *);

#endif
