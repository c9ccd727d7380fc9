/* The operations of an evaluator in topological order, from a schedule and its transfers. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "evaluator.h"

/* Sort the operations for transfers that run in parallel to them. FOLDED: see evaluator_new(). */
void operations_sort(struct evaluator *, const struct schedule *, bool folded);
/*
 * Sort the operations with the transfers of a mode, posted as in the simulator. A stage waits for its transfers in
 * additional operations without cost. Queued transfers have such operations in the queue of their receiver.
 */
void operations_with_transfers(struct evaluator *, const struct schedule *whole, enum transfer_mode);

#endif
