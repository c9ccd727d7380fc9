/*
 * Completions: what the chunks behind some of a stage's cost at least, by how much memory and how many layers the
 * first ones take. The rows of memory count as one, weighed by their multipliers (surrogate relaxation; Glover 1968),
 * which dynamic programming fills in steps that are rounded down.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

#include "knapsack.h"

/* By the multipliers that the knapsack has. To be freed. */
struct completions *completions_new(const struct knapsack *);
void completions_free(struct completions *);
/*
 * ms that the chunks from one on cost at least, where those before took so many layers and so much memory: the sum of
 * completions_memory() of their choices. INFINITY: they have no choices that fit.
 */
double completions_least(const struct completions *, int chunk, int layers, double memory);
/* The multipliers' ms for the memory of a choice, less the least of any choice of that chunk. */
double completions_memory(const struct completions *, int chunk, const struct part *, int mix);

#endif
