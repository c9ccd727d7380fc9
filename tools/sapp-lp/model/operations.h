/* Operations of an evaluator in topological order, from a schedule and its transfers. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "evaluator.h"

/* Transfers run in parallel to the operations. FOLDED: see evaluator_new(). */
void operations_sort(struct evaluator *, const struct schedule *, bool folded);
/*
 * Transfers take place as in their mode, posted as in the simulator. A stage waits in operations without cost; queued
 * transfers have such operations in the queue of their receiver.
 */
void operations_with_transfers(struct evaluator *, const struct schedule *whole, enum transfer_mode);

#endif
