/*
 * Labels: label setting for the cheapest pattern (cheapest.h). A label holds choices for a stage's first chunks, their
 * cost and the remaining memory.
 */
#ifndef LABELS_H
#define LABELS_H

#include "knapsack.h"

struct labels;

struct labels *labels_new(const struct knapsack *);
void labels_free(struct labels *);
/*
 * Extend labels chunk by chunk, and keep the undominated labels that may lead to a pattern within the width of the
 * search (most and within). If a cheaper pattern is found, store it in OUT. Return false if all tries are used up.
 */
bool labels_set(struct knapsack *);

#endif
