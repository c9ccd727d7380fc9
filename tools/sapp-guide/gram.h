/* Gram matrix: A'A of a design's equations. It is updated when settings change. */
#ifndef GRAM_H
#define GRAM_H

#include "design.h"

struct gram {
	const struct guide_question *question;
	int n;
	int unknown[MOST_UNKNOWNS];
	double at[MOST_UNKNOWNS][MOST_UNKNOWNS];	/* integers, so sums are exact */
	int open;		/* number of unknowns that are undetermined, set by gram_condition() */
};

struct gram gram_new(const struct guide_question *);
/*
 * Add (SIGN 1) or remove (-1) the equations of ROUND that depend on STAGE. With several bodies these are all equations
 * of the round, because the number of layers on a stage determines which layers other stages have.
 */
void gram_add(struct gram *, const struct guide_setting round[], int stage, int sign);
void gram_add_all(struct gram *, const struct guide_setting at[], int rounds);
/* Return the condition number of A with its columns scaled to length 1; infinite if unknowns are undetermined. */
double gram_condition(struct gram *);

#endif
