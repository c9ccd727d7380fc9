/*
 * Path model: the step time of plans as the longest of the paths that were met so far.  That is never more than the
 * step; it is the step where the critical path is among them, and takes a few additions for each path where simulating
 * takes thousands.  A search asks it for every plan, and simulates those that seem worth it, whose critical paths are
 * added.
 */
#ifndef PATH_MODEL_H
#define PATH_MODEL_H

#include "sapp-lp/bound/path_cuts.h"

struct path_model;

struct path_model *path_model_new(const struct problem *);
void path_model_free(struct path_model *);
/* The times of a plan, [pieces], ms: its longest path is that of LANE from now on. Lanes are numbered from 0. */
void path_model_set(struct path_model *, int lane, const struct times *);
/*
 * The longest path and the crowd, ms, if the times of PIECE[n] changed by CHANGE[n]; of the last such question of a
 * lane, take: the lane is that of these times from now on.
 */
double path_model_try(struct path_model *, int lane, int n, const int *piece, const struct times *change);
void path_model_take(struct path_model *, int lane);
/* Keep a lane as it is; bring it back as it was then, unless paths were added since. */
void path_model_keep(struct path_model *, int lane);
void path_model_bring_back(struct path_model *, int lane);
double path_model_longest(const struct path_model *, int lane);		/* ms */
/*
 * ms for the paths that are nearly as long: where many are, no single change makes the plan shorter, but one that makes
 * them fewer leads there.
 */
double path_model_crowd(const struct path_model *, int lane);
/* How often the longest path of a lane visits the piece, forwards and backwards; 0: there is no path. */
double path_model_visits(struct path_model *, int lane, int piece);
/*
 * Add a path; TIMES[lane][pieces] are those of all lanes as they are. When there is no room, the one that was longest
 * for any lane the longest time ago goes.
 */
void path_model_add(struct path_model *, const struct visits *, struct times *const *times);

#endif
