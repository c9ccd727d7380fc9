/*
 * Path model: the step time of plans as the longest of the paths found before. It never exceeds the step, equals it if
 * the critical path is known, and costs a few additions per path instead of thousands for a simulation. A search
 * evaluates every plan with it, and simulates promising ones, adding their critical paths.
 */
#ifndef PATH_MODEL_H
#define PATH_MODEL_H

#include "sapp-lp/bound/path_cuts.h"

struct path_model;

struct path_model *path_model_new(const struct problem *);
void path_model_free(struct path_model *);
/* Set the times of LANE's plan, [pieces], ms. Lanes are numbered from 0. */
void path_model_set(struct path_model *, int lane, const struct times *);
/*
 * Return longest path plus crowd, ms, with the times of PIECE[n] changed by CHANGE[n]. path_model_take(): make the last
 * such change of a lane permanent.
 */
double path_model_try(struct path_model *, int lane, int n, const int *piece, const struct times *change);
void path_model_take(struct path_model *, int lane);
/* Save a lane; restore it, unless paths were added since. */
void path_model_keep(struct path_model *, int lane);
void path_model_bring_back(struct path_model *, int lane);
double path_model_longest(const struct path_model *, int lane);		/* ms */
/*
 * Return a penalty, ms, for paths nearly as long: with many, no single change shortens the plan, but reducing their
 * number leads there.
 */
double path_model_crowd(const struct path_model *, int lane);
/* Return the number of visits of the piece, forward and backward, by the longest path of a lane; 0 without paths. */
double path_model_visits(struct path_model *, int lane, int piece);
/*
 * Add a path; TIMES[lane][pieces]: current times of all lanes. If full, drop the path that has not been longest for any
 * lane for the longest time.
 */
void path_model_add(struct path_model *, const struct visits *, struct times *const *times);

#endif
