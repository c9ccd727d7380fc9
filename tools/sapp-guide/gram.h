/* Gram: A'A of the equations of a design, kept up to date while settings change. */
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
/* Put the equation of a stage in (SIGN 1) or take it out (-1). */
void gram_add(struct gram *, int stage, const struct setting *, int sign);
/* Condition of A with columns scaled to length 1; infinite when A does not determine all unknowns. */
double gram_condition(const struct gram *);

#endif
