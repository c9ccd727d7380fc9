/*
 * Squeeze and reorder a block's order of a two-chunk job, assuming one slot per operation (Qi et al., arXiv 2405.15362,
 * section 3.3). Private to the search for orders.
 */
#ifndef JOB_REORDER_H
#define JOB_REORDER_H

#include "job.h"

struct job_reorder;
struct job_reorder *job_reorder_new(const struct job *);
void job_reorder_free(struct job_reorder *);
/*
 * Rebuild fill and drain of an order with at most PIECES in flight per stage, and move operations into free slots. If
 * false, the order is undefined.
 */
bool job_reorder(struct job_reorder *, struct schedule *, int pieces);

#endif
