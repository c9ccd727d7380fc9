/*
 * Moves: an order shortened by moving operations of its longest path, as in job shops (van Laarhoven et al., Operations
 * Research 40, 1992), by late acceptance (Burke and Bykov, European Journal of Operational Research 258, 2017). Private
 * to the files that make orders.
 */
#ifndef JOB_MOVES_H
#define JOB_MOVES_H

#include <stdint.h>

#include "job.h"

/*
 * Shorten an order that runs and fits, at a lane; about so many OPERATIONS are evaluated. The same seed gives the same
 * order.
 */
void job_move(const struct job *, struct schedule *, int lane, double operations, uint64_t seed);

#endif
