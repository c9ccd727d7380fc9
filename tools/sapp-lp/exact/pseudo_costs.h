/*
 * Pseudo-costs: for each branching variable, a number of layers, the mean gain of the bounds of a node's children over
 * the node's own for a distance of 1 (Benichou and others 1971).  The score of a division is the product of the gains
 * estimated by that for both children (Achterberg 2007, section 5.3).
 */
#ifndef PSEUDO_COSTS_H
#define PSEUDO_COSTS_H

#include <stdbool.h>

struct pseudo_cost {		/* of the lower and the upper child */
	double sum[2];		/* ms, gains, each for a distance of 1 */
	int n[2];
};

struct pseudo_costs {
	int n;
	struct pseudo_cost *at;	/* [n] */
	struct pseudo_cost all;	/* the sums of these */
};

struct pseudo_costs pseudo_costs_new(int n);
void pseudo_costs_free(struct pseudo_costs *);
/* A child's bound rose by GAIN, ms; DISTANCE: layers from the parent's mean to what the child allows, above 0. */
void pseudo_costs_add(struct pseudo_costs *, int at, bool upper, double gain, double distance);
bool pseudo_costs_known(const struct pseudo_costs *);	/* of any lower and any upper child */
/*
 * The score, ms squared, of a division whose children are LOWER and UPPER layers away from the mean; a variable without
 * a gain of a child counts as the mean of all. Only when some are known.
 */
double pseudo_costs_score(const struct pseudo_costs *, int at, double lower, double upper);

#endif
