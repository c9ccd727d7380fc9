/*
 * Cheapest pattern: what a stage takes, a content and a mix for each of its chunks, when its pieces add to a mean of
 * paths and layers are paid for: a multiple-choice knapsack problem, with a row for each moment at which memory can
 * peak, in which each chunk chooses among its alternatives.  The rows are relaxed by Lagrange multipliers (Everett
 * 1963), which are found by column generation; what is left between that and a pattern is closed by label setting, with
 * completions.h to tell which labels matter.
 */
#ifndef CHEAPEST_H
#define CHEAPEST_H

#include "alternatives.h"

struct cheapest {		/* of one stage */
	double bound;		/* ms, below the cost of every pattern that fits; INFINITY: none does */
	double cost;		/* ms, of the pattern found; INFINITY: none was */
	int *content, *mix;	/* [chunks], that pattern */
	int tries;		/* given: choices looked at, at most; with too few the bound is less */
};

/*
 * The cost is the ms that the stage's pieces add to WEIGHT less PRICE[bodies], ms, for each layer, of patterns within
 * BOUNDS (NULL: all). MULTIPLIER[rows + 1], ms per MB and ms per layer, are those found last, zeros at first.
 */
void cheapest_find(struct cheapest *, const struct alternatives *, int stage, const struct node_bounds *bounds,
    const struct visits *weight, const double *price, double *multiplier);

#endif
