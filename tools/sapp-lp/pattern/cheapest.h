/*
 * Cheapest pattern: the pattern of a stage (content and mix of each chunk) of least reduced cost. A multiple-choice
 * knapsack problem: each chunk chooses an alternative, and each moment at which the stage can peak is a row of memory.
 * The rows are relaxed by Lagrange multipliers (Everett 1963), found by column generation; label setting closes the gap
 * between that bound and a pattern, and completions.h prunes labels.
 */
#ifndef CHEAPEST_H
#define CHEAPEST_H

#include "alternatives.h"

struct cheapest {		/* of one stage */
	double bound;		/* ms, below the cost of every fitting pattern; INFINITY: none fits */
	double cost;		/* ms, of the pattern found; INFINITY: none */
	int *content, *mix;	/* [chunks], of the pattern */
	int tries;		/* set by the caller: maximum number of labels; after that the bound is weaker */
};

/*
 * Minimise the reduced cost: ms that the stage's pieces add to WEIGHT, a mean of paths, minus PRICE[bodies], ms, per
 * layer; over patterns within BOUNDS (NULL: all). MULTIPLIER[rows + 1], ms per MB and last ms per layer: start of the
 * search, zeros at first, and its result.
 */
void cheapest_find(struct cheapest *, const struct alternatives *, int stage, const struct node_bounds *bounds,
    const struct visits *weight, const double *price, double *multiplier);

#endif
