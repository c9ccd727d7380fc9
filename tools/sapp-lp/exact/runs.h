/*
 * Runs: with one chunk a stage, the runs of consecutive layers that each stage can hold, as edges between numbers of
 * layers placed.  Edges in no plan shorter than a target are dropped, as in squeeze.h, but by a set of paths, one for
 * each stage, at once: the visits that all the other stages' paths have in common of a stage are a cost of what it
 * holds.  The sum of these costs is in every path of the set; a stage's path exceeds it at least by its own visits of
 * that stage beyond the common ones.  So one sweep from the first stage on and one from the last do for all paths.
 */
#ifndef RUNS_H
#define RUNS_H

#include "sapp-lp/model/problem.h"

struct runs;

/* Those in plans shorter than HORIZON, ms. NULL: there are too many. */
struct runs *runs_new(const struct problem *, double horizon);
void runs_free(struct runs *);
/*
 * Add a set: for each stage the critical path of a plan when the stage is slower. The last few sets are kept. False:
 * DEADLINE (s of clock.h) came first.
 */
bool runs_add_paths(struct runs *, const struct candidate *plan, double deadline);
/*
 * Drop the edges of no plan shorter than TARGET, ms, until the next call. True: no way is left, a proof, but for
 * rounding, that there is no such plan: see patterns_proved(). False says nothing; the deadline may have passed.
 */
bool runs_none_below(struct runs *, double target, double deadline);
/* The same for good: only plans shorter than HORIZON matter from then on. */
bool runs_prune(struct runs *, double horizon, double deadline);
/*
 * LAYERS[stages] of the way along the edges left with the least length of WEIGHT, a mean of paths, or where that is
 * NULL, with the least common sum of the last set. False: there is no way.
 */
bool runs_least(struct runs *, const struct visits *weight, int *layers);

#endif
