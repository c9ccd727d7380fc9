/*
 * Runs: for one chunk a stage, the runs of layers that each stage can hold in the model's order, as edges between
 * numbers of layers placed.  Those that are in no plan shorter than some target are dropped, as in squeeze.h, by sets
 * of paths: each stage has a path of its own. What the paths of all others visit of a stage at least is a cost of what
 * it holds; the sum over the stages is shared by all paths of the set, and the path of a stage exceeds it by what that
 * stage alone holds. So one sweep from the first stage on and one from the last are enough for all of them.
 */
#ifndef RUNS_H
#define RUNS_H

#include "sapp-lp/model/problem.h"

struct runs;

/* Those in plans shorter than HORIZON, ms. NULL: there are too many. */
struct runs *runs_new(const struct problem *, double horizon);
void runs_free(struct runs *);
/*
 * A set of paths: of each stage the critical one of a plan if the stage were slower. The last few sets are kept. False:
 * DEADLINE (s of clock.h) came first.
 */
bool runs_add_paths(struct runs *, const struct candidate *plan, double deadline);
/*
 * Drop what is in no plan shorter than TARGET, ms. True: nothing is left, and there is surely no such plan but for
 * rounding, see patterns_proved(). False says nothing; it may be for the deadline.
 */
bool runs_none_below(struct runs *, double target, double deadline);
/* The same, and what is dropped is left out for good: only plans shorter than HORIZON matter from then on. */
bool runs_prune(struct runs *, double horizon, double deadline);
/*
 * LAYERS[stages] of what was left then, with the least length of WEIGHT, a mean of paths, or, where that is NULL, the
 * least sum that the paths of the last set share. False: there is no way.
 */
bool runs_least(struct runs *, const struct visits *weight, int *layers);

#endif
