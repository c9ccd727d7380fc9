/* Gram: A'A of a design's equations, updated while settings change. */
#ifndef GRAM_H
#define GRAM_H

#include "design.h"

struct gram {
	const struct question *question;
	int n;
	enum unknown unknown[UNKNOWNS];
	double at[UNKNOWNS][UNKNOWNS];	/* whole numbers, exact */
};

struct gram gram_new(const struct question *);
/* Add (SIGN 1) or remove (-1) the equation of a stage. */
void gram_add(struct gram *, int stage, const struct setting *, int sign);
/* Return the condition of A with columns scaled to length 1; infinite if unknowns are left open. */
double gram_condition(const struct gram *);

#endif
