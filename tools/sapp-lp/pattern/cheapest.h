/*
 * Cheapest pattern: the pattern of a stage, a content and a mix for each of its chunks, of least reduced cost.  A
 * multiple-choice knapsack problem: each chunk chooses one of its alternatives, and there is a row of memory for each
 * moment at which the stage can peak.  The rows are relaxed by Lagrange multipliers (Everett 1963), which column
 * generation finds; label setting closes the gap between that bound and a pattern, and completions.h drops the labels
 * that cannot.
 */
#ifndef CHEAPEST_H
#define CHEAPEST_H

#include "alternatives.h"

struct cheapest {		/* of one stage */
	double bound;		/* ms, below the cost of every pattern that fits; INFINITY: none does */
	double cost;		/* ms, of the pattern found; INFINITY: none was */
	int *content, *mix;	/* [chunks], that pattern */
	int tries;		/* set by the caller: labels made, at most; when they run out the bound is lower */
};

/*
 * The reduced cost: ms that the stage's pieces add to WEIGHT, a mean of paths, less PRICE[bodies], ms, for each layer;
 * of patterns within BOUNDS (NULL: all). MULTIPLIER[rows + 1], ms per MB and at the end ms per layer, are where the
 * search for them begins, zeros at first; it leaves there what it found.
 */
void cheapest_find(struct cheapest *, const struct alternatives *, int stage, const struct node_bounds *bounds,
    const struct visits *weight, const double *price, double *multiplier);

#endif
