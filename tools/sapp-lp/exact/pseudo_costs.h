/*
 * Pseudo-costs: for each branching variable (a number of layers) the mean gain of the children's bounds over the node's
 * own, per unit of distance (Benichou and others 1971). The score of a division is the product of both children's
 * estimated gains (Achterberg 2007, section 5.3).
 */
#ifndef PSEUDO_COSTS_H
#define PSEUDO_COSTS_H

#include <stdbool.h>

struct pseudo_cost {		/* of the lower and the upper child */
	double sum[2];		/* ms, gains per unit of distance */
	int n[2];
};

struct pseudo_costs {
	int n;
	struct pseudo_cost *at;	/* [n] */
	struct pseudo_cost all;	/* sums over AT */
};

struct pseudo_costs pseudo_costs_new(int n);
void pseudo_costs_free(struct pseudo_costs *);
/*
 * Record that a child's bound rose by GAIN, ms. DISTANCE: layers from the parent's mean to the child's range, above 0.
 */
void pseudo_costs_add(struct pseudo_costs *, int at, bool upper, double gain, double distance);
bool pseudo_costs_known(const struct pseudo_costs *);	/* whether any gain of a lower and of an upper child is known */
/*
 * Return the score, ms squared, of a division with children LOWER and UPPER layers from the mean; a variable without
 * gains uses the mean of all. Requires pseudo_costs_known().
 */
double pseudo_costs_score(const struct pseudo_costs *, int at, double lower, double upper);

#endif
