/*
 * Pseudo-costs: by how much the bounds of a node's children rose above its own, for each number of layers that nodes
 * were divided by, and what dividing by it next would gain by that (Benichou and others 1971; the product of both
 * sides' gains as a score: Achterberg 2007, section 5.3).
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
 * What a division is worth whose children are so many layers away from the mean, ms squared, where something is known;
 * a side that was not tried yet counts as the mean of all.
 */
double pseudo_costs_score(const struct pseudo_costs *, int at, double lower, double upper);

#endif
