/*
 * Cheapest pattern: find the pattern of a stage (content and mix of each chunk) with the least reduced cost. The
 * problem is a multiple-choice knapsack: each chunk takes one alternative, and each moment at which the stage can peak
 * is a row of memory. The rows are relaxed by Lagrange multipliers (Everett 1963), which column generation finds. Label
 * setting closes the gap between this bound and a pattern; completions.h prunes labels.
 */
#ifndef CHEAPEST_H
#define CHEAPEST_H

#include "alternatives.h"

struct cheapest {		/* the result for one stage */
	double bound;		/* ms, below the cost of every fitting pattern; INFINITY: none fits */
	double cost;		/* ms, reduced cost of the pattern found; INFINITY: none */
	int *content, *mix;	/* [chunks], of the pattern */
	/* maximum number of labels, set by the caller; when it is reached, the bound is weaker */
	int tries;
};

/*
 * Minimise the reduced cost over the patterns within BOUNDS (NULL: all). The reduced cost is the ms that the stage's
 * pieces add to WEIGHT, a mean of paths, minus PRICE[bodies], ms per layer. MULTIPLIER[rows + 1] has ms per MB and,
 * last, ms per layer. It is the start of the search, zeros at first, and receives the multipliers found.
 */
void cheapest_find(struct cheapest *, const struct alternatives *, int stage, const struct node_bounds *bounds,
    const struct visits *weight, const double *price, double *multiplier);

#endif
