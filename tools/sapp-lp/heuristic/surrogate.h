/*
 * Surrogate: rounds of an ensemble in which changes are accepted by the path model, and then all of them together by
 * what the step's difference is more than the model's (surrogate transition method, Liu 2001, section 9.4.3). For steps
 * of many operations, of which the model saves simulating most.
 */
#ifndef SURROGATE_H
#define SURROGATE_H

#include "ensemble.h"
#include "sapp-lp/bound/path_cuts.h"

struct surrogate;

bool surrogate_pays(const struct problem *);
/* The ensemble, which must outlive it, has times that are the model's from now on: no more than the steps. */
struct surrogate *surrogate_new(struct ensemble *);
void surrogate_free(struct surrogate *);
void surrogate_load(struct surrogate *, int lane);		/* the replica was replaced */
void surrogate_add(struct surrogate *, const struct visits *);	/* a path that is known to be long */
void surrogate_round(struct surrogate *);
void surrogate_renew(struct surrogate *);	/* add lengths up anew: rounding adds up as well */

#endif
