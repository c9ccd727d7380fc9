/*
 * Completions: lower bounds on how labels go on: the least cost of a stage's last chunks, by how much memory and how
 * many layers the chunks before them take.  One row of memory, the sum of all rows times their multipliers (surrogate
 * relaxation; Glover 1968), in steps rounded down: dynamic programming.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

#include "knapsack.h"

/* By the multipliers that the knapsack has. */
struct completions *completions_new(const struct knapsack *);
void completions_free(struct completions *);
/*
 * A lower bound on the cost of the chunks from CHUNK on, ms, where those before took LAYERS and MEMORY, the sum of
 * completions_memory() of their choices. INFINITY: nothing fits.
 */
double completions_least(const struct completions *, int chunk, int layers, double memory);
/* A choice's memory in the surrogate row, in ms, less the least of any choice of that chunk. */
double completions_memory(const struct completions *, int chunk, const struct part *, int mix);

#endif
