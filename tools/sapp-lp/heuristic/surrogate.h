/*
 * Surrogate: rounds of an ensemble in which the path model accepts single changes, and then the difference between step
 * and model decides on all of them together (surrogate transition method, Liu 2001, section 9.4.3). For steps with many
 * operations, where the model saves most simulations.
 */
#ifndef SURROGATE_H
#define SURROGATE_H

#include "sapp-lp/bound/path_cuts.h"
#include "ensemble.h"

struct surrogate;

bool surrogate_pays(const struct problem *);
/* The ensemble must outlive it; from now on its times are the model's, not above the steps. */
struct surrogate *surrogate_new(struct ensemble *);
void surrogate_free(struct surrogate *);
void surrogate_load(struct surrogate *, int lane);		/* the replica was replaced */
void surrogate_add(struct surrogate *, const struct visits *);	/* a path known to be long */
void surrogate_round(struct surrogate *);
void surrogate_renew(struct surrogate *);	/* recompute lengths, to remove accumulated rounding */

#endif
