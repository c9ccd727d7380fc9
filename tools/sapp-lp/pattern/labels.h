/*
 * Labels: label setting for the cheapest pattern (cheapest.h).  A label is a choice for each of a stage's first chunks:
 * its cost, and the memory that it leaves.
 */
#ifndef LABELS_H
#define LABELS_H

#include "knapsack.h"

struct labels;

struct labels *labels_new(const struct knapsack *);
void labels_free(struct labels *);
/*
 * Chunk after chunk, extend the labels that no other dominates and that may lead to a pattern in the width (most,
 * within). A cheaper pattern than the best so far goes into OUT. False: the tries ran out.
 */
bool labels_set(struct knapsack *);

#endif
