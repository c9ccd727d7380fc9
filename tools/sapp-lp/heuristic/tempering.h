/*
 * Tempering: parallel tempering (Swendsen and Wang 1986) over plans, with the exact step time as energy.
 *
 * LANES replicas, each at its own temperature, are changed and evaluated together, one in every lane of the processor's
 * vectors; replicas at neighbouring temperatures exchange them now and then.
 */
#ifndef TEMPERING_H
#define TEMPERING_H

#include <stdint.h>

#include "sapp-lp/bound/path_cuts.h"

struct tempering;

/*
 * Begin at START[LANES], which must fit, the coldest replica at the first of them, which must be the shortest; where
 * steps have many operations, all replicas begin there. WEIGHT, a mean of paths, says which chunks' backward times
 * matter (NULL: all alike); PATHS are long ones that are known already. Nothing of all that need outlive the call. The
 * same SEED gives the same search.
 */
struct tempering *tempering_new(const struct problem *, const struct candidate *const start[],
    const struct visits *weight, const struct path_cuts *paths, uint64_t seed);
/*
 * As much work as simulating ROUNDS changes to every replica; true when a better plan was found. Ends early at
 * DEADLINE (s of clock.h).
 */
bool tempering_run(struct tempering *, long rounds, double deadline);
/* Put a plan found elsewhere into the first replica. */
void tempering_take(struct tempering *, const struct candidate *);
double tempering_best(const struct tempering *, struct candidate *out);	/* step time, ms; OUT may be NULL */
/* Plans that were compared; adds the operations simulated for that, and what it all took, to the two. */
long tempering_evaluations(const struct tempering *, double *operations, double *seconds);
void tempering_free(struct tempering *);

#endif
