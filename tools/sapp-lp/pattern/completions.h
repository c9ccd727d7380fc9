/*
 * Completions: lower bounds on completing labels: the least cost of a stage's last chunks for the memory and layers
 * taken by those before. One row of memory, the sum of all rows weighted by their multipliers (surrogate relaxation;
 * Glover 1968), in steps rounded down: dynamic programming.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

#include "knapsack.h"

/* Uses the multipliers of the knapsack. */
struct completions *completions_new(const struct knapsack *);
void completions_free(struct completions *);
/*
 * Return a lower bound on the cost of the chunks from CHUNK on, ms, if the chunks before took LAYERS and MEMORY, the
 * sum of completions_memory() of their choices. Return INFINITY if nothing fits.
 */
double completions_least(const struct completions *, int chunk, int layers, double memory);
/* Return a choice's memory in the surrogate row, in ms, minus the minimum over the chunk's choices. */
double completions_memory(const struct completions *, int chunk, const struct knapsack_part *, int mix);

#endif
