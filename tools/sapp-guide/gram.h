/* Gram: A'A of a design's equations, updated while settings change. */
#ifndef GRAM_H
#define GRAM_H

#include "design.h"

struct gram {
	const struct guide_question *question;
	int n;
	int unknown[MOST_UNKNOWNS];
	double at[MOST_UNKNOWNS][MOST_UNKNOWNS];	/* whole numbers, exact */
	int open;		/* unknowns that gram_condition() found undetermined */
};

struct gram gram_new(const struct guide_question *);
/*
 * Add (SIGN 1) or remove (-1) the equations of ROUND that depend on STAGE: with several bodies all equations of the
 * round, since its number of layers determines the layers of other stages.
 */
void gram_add(struct gram *, const struct guide_setting round[], int stage, int sign);
void gram_add_all(struct gram *, const struct guide_setting at[], int rounds);
/* Return the condition of A with columns scaled to length 1; infinite if unknowns are left open. */
double gram_condition(struct gram *);

#endif
