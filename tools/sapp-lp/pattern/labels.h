/*
 * Labels: label setting for the cheapest pattern (cheapest.h). A label has choices for a stage's first chunks, their
 * cost, and the remaining memory.
 */
#ifndef LABELS_H
#define LABELS_H

#include "knapsack.h"

struct labels;

struct labels *labels_new(const struct knapsack *);
void labels_free(struct labels *);
/*
 * Extend, chunk by chunk, the undominated labels that may lead to a pattern in the width (most, within). A cheaper
 * pattern goes to OUT. Return false if tries are used up.
 */
bool labels_set(struct knapsack *);

#endif
