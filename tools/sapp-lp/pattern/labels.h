/*
 * Labels: what choices for the first chunks of a stage cost and leave (label setting), for its cheapest pattern: see
 * cheapest.h.
 */
#ifndef LABELS_H
#define LABELS_H

#include "knapsack.h"

struct labels;

struct labels *labels_new(const struct knapsack *);
void labels_free(struct labels *);
/*
 * Chunk after chunk, those that no other label beats and whose reduced costs are within what is looked at: the cheapest
 * of the last chunk, if it is cheaper than the best so far, becomes that, and goes into OUT. False: they took more
 * tries than there are.
 */
bool labels_set(struct knapsack *);

#endif
