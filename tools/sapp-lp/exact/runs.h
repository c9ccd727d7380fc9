/*
 * Runs: with one chunk per stage, the runs of consecutive layers that each stage can hold, as edges between numbers of
 * layers placed. Edges in no plan shorter than a target are dropped as in squeeze.h, but by a set of paths, one per
 * stage, at once. The visits of a stage common to all other stages' paths are a cost of its contents. The sum of these
 * costs is in every path of the set; a stage's path exceeds it at least by its own visits of that stage beyond the
 * common ones. So one sweep from the first stage and one from the last suffice for all paths.
 */
#ifndef RUNS_H
#define RUNS_H

#include "sapp-lp/model/problem.h"

struct runs;

/* Return the runs in plans shorter than HORIZON, ms, or NULL if they are too many. */
struct runs *runs_new(const struct problem *, double horizon);
void runs_free(struct runs *);
/*
 * Add a set: for each stage the critical path of a plan with that stage slowed. Keeps the last few sets. False at
 * DEADLINE (s of clock.h).
 */
bool runs_add_paths(struct runs *, const struct candidate *plan, double deadline);
/*
 * Drop the edges that no plan shorter than TARGET, ms, has, until the next call. Return true if no way along the edges
 * is left. This proves, but for rounding, that no such plan exists: see patterns_proved(). False is inconclusive, also
 * after the deadline.
 */
bool runs_none_below(struct runs *, double target, double deadline);
/* Do the same permanently: only plans shorter than HORIZON matter from now on. */
bool runs_prune(struct runs *, double horizon, double deadline);
/*
 * Get LAYERS[stages] of the way along the remaining edges that is shortest under WEIGHT, a mean of paths, or with
 * WEIGHT NULL has the least common sum of the last set. Return false if no way is left.
 */
bool runs_least(struct runs *, const struct visits *weight, int *layers);

#endif
