/*
 * Completions: lower bounds on the cost of completing a label. A bound is the least cost of a stage's last chunks,
 * given the memory and layers that the chunks before take. It uses one row of memory: the sum of all rows weighted by
 * their multipliers (surrogate relaxation; Glover 1968). Dynamic programming computes the bounds over steps of this
 * memory, rounded down.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

#include "knapsack.h"

/* Create the bounds for the current multipliers of the knapsack. */
struct completions *completions_new(const struct knapsack *);
void completions_free(struct completions *);
/*
 * Return a lower bound on the cost of the chunks from CHUNK on, ms. LAYERS and MEMORY: the layers of the chunks before,
 * and the sum of completions_memory() of their choices. Return INFINITY if nothing fits.
 */
double completions_least(const struct completions *, int chunk, int layers, double memory);
/* Return the memory of a choice in the surrogate row, in ms, minus the minimum over the chunk's choices. */
double completions_memory(const struct completions *, int chunk, const struct knapsack_part *, int mix);

#endif
