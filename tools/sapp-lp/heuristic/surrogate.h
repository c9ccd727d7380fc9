/*
 * Surrogate: rounds of an ensemble in which the path model replaces most simulations. The model accepts or rejects
 * single changes. Then the difference between the simulated step and the model accepts or rejects all changes of the
 * round together (surrogate transition method, Liu 2001, section 9.4.3). Used for steps with many operations, where it
 * saves the most time.
 */
#ifndef SURROGATE_H
#define SURROGATE_H

#include "sapp-lp/bound/path_cuts.h"
#include "ensemble.h"

struct surrogate;

bool surrogate_pays(const struct problem *);
/*
 * Create a surrogate of an ensemble, which must outlive it. From then on the ensemble's times are the model's, which
 * are not above the steps.
 */
struct surrogate *surrogate_new(struct ensemble *);
void surrogate_free(struct surrogate *);
void surrogate_load(struct surrogate *, int lane);		/* update the model: the replica was replaced */
void surrogate_add(struct surrogate *, const struct visits *);	/* add a path known to be long */
void surrogate_round(struct surrogate *);
void surrogate_renew(struct surrogate *);	/* recompute lengths, to remove accumulated rounding */

#endif
