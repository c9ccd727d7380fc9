/*
 * Runs: with one chunk per stage, the runs of consecutive layers that each stage can hold. A run is an edge between two
 * numbers of layers placed. Edges that no plan shorter than a target has are dropped as in squeeze.h, but by a set of
 * paths, one per stage, at once.
 *
 * All paths of the set except the stage's own have some visits of a stage in common; these visits give a cost of the
 * stage's contents. The sum of these costs is part of the length of every path of the set. A stage's own path is longer
 * than this sum at least by its visits of the stage beyond the common visits. So one sweep from the first stage and one
 * sweep from the last stage suffice for all paths.
 */
#ifndef RUNS_H
#define RUNS_H

#include "sapp-lp/model/problem.h"

struct runs;

/* Return the runs in plans shorter than HORIZON, ms, or NULL if the runs are too many. */
struct runs *runs_new(const struct problem *, double horizon);
void runs_free(struct runs *);
/*
 * Add a set of paths: for each stage, the critical path of PLAN with this stage slowed. Only the last few sets are
 * kept. Return false at DEADLINE (s of clock_now()).
 */
bool runs_add_paths(struct runs *, const struct candidate *plan, double deadline);
/*
 * Drop the edges that no plan shorter than TARGET, ms, has. The next call restores them. Return true if the remaining
 * edges form no complete layout. This proves that no such plan exists, except for rounding: see patterns_proved().
 * False proves nothing, also after the deadline.
 */
bool runs_none_below(struct runs *, double target, double deadline);
/* Drop the edges that no plan shorter than HORIZON, ms, has, permanently. Return values as in runs_none_below(). */
bool runs_prune(struct runs *, double horizon, double deadline);
/*
 * Get LAYERS[stages] of the layout along the remaining edges that is shortest under WEIGHT, a mean of paths. With
 * WEIGHT NULL, get the layout with the least common sum of the last set. Return false if no layout is left.
 */
bool runs_least(struct runs *, const struct visits *weight, int *layers);

#endif
