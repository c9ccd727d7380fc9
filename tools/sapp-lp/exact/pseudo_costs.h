/*
 * Pseudo-costs: for each branching variable (a number of layers), the mean gain of the children's bounds over the
 * node's bound, per unit of distance (Benichou and others 1971). The score of a division is the product of the
 * estimated gains of both children (Achterberg 2007, section 5.3).
 */
#ifndef PSEUDO_COSTS_H
#define PSEUDO_COSTS_H

#include <stdbool.h>

struct pseudo_cost {		/* gains of the lower and the upper child */
	double sum[2];		/* ms, gains per unit of distance */
	int n[2];
};

struct pseudo_costs {
	int n;
	struct pseudo_cost *at;	/* [n] */
	struct pseudo_cost all;	/* sums over all variables */
};

struct pseudo_costs pseudo_costs_new(int n);
void pseudo_costs_free(struct pseudo_costs *);
/*
 * Record that a child's bound rose by GAIN, ms. DISTANCE: layers from the parent's mean to the child's range; above 0.
 */
void pseudo_costs_add(struct pseudo_costs *, int at, bool upper, double gain, double distance);
/* whether a gain of a lower child and a gain of an upper child are known */
bool pseudo_costs_known(const struct pseudo_costs *);
/*
 * Return the score, ms squared, of a division whose children are LOWER and UPPER layers from the mean. A variable
 * without recorded gains uses the mean of all variables. Requires pseudo_costs_known().
 */
double pseudo_costs_score(const struct pseudo_costs *, int at, double lower, double upper);

#endif
