/*
 * Path model: estimates the step time of a plan as the longest of the paths found before. The estimate never exceeds
 * the step, and equals it if the critical path is among these paths. It takes a few additions per path, where a
 * simulation takes thousands. A search evaluates every plan with the model. It simulates only promising plans, and adds
 * their critical paths to the model.
 */
#ifndef PATH_MODEL_H
#define PATH_MODEL_H

#include "sapp-lp/bound/path_cuts.h"

struct path_model;

struct path_model *path_model_new(const struct problem *);
void path_model_free(struct path_model *);
/* Set the times of the plan in LANE, [pieces], ms. Lanes are numbered from 0. */
void path_model_set(struct path_model *, int lane, const struct times *);
/*
 * Return the longest path plus path_model_crowd(), ms, if the times of PIECE[n] changed by CHANGE[n]. path_model_take()
 * makes the last change tried in a lane permanent.
 */
double path_model_try(struct path_model *, int lane, int n, const int *piece, const struct times *change);
void path_model_take(struct path_model *, int lane);
/* Save the state of a lane. path_model_bring_back() restores it, unless paths were added since. */
void path_model_keep(struct path_model *, int lane);
void path_model_bring_back(struct path_model *, int lane);
/* return the length of the lane's longest path, ms */
double path_model_longest(const struct path_model *, int lane);
/*
 * Return a penalty, ms, for paths nearly as long as the longest. With many such paths, no single change shortens the
 * plan, but fewer such paths are progress.
 */
double path_model_crowd(const struct path_model *, int lane);
/*
 * Return the number of visits of the piece, forward and backward, by the longest path of a lane; 0 if the model has no
 * paths.
 */
double path_model_visits(struct path_model *, int lane, int piece);
/*
 * Add a path. TIMES[lane][pieces]: current times of all lanes. If the model is full, drop the path that was the longest
 * of any lane least recently.
 */
void path_model_add(struct path_model *, const struct visits *, struct times *const *times);

#endif
