/* Operations of an evaluator, put in a topological order: of a schedule, and of its transfers. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "evaluator.h"

/* Data go on behind the operations. FOLDED: see evaluator_new(). */
void operations_sort(struct evaluator *, const struct schedule *, bool folded);
/*
 * Transfers take place as the way has them, posted where the simulator posts them. A stage waits in operations without
 * cost; where transfers queue, each has such operations in the queue of its receiver.
 */
void operations_with_transfers(struct evaluator *, const struct schedule *whole, enum transfer_mode);

#endif
