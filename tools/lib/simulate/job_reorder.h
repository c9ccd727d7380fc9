/*
 * The order of a block of a job of two chunks, squeezed and reordered as if every operation took one slot (Qi et al.,
 * arXiv 2405.15362, section 3.3). Private to the files that make orders.
 */
#ifndef JOB_REORDER_H
#define JOB_REORDER_H

#include "job.h"

/* Room for it. */
struct job_reorder;
struct job_reorder *job_reorder_new(const struct job *);
void job_reorder_free(struct job_reorder *);
/*
 * Fill and drain an order anew, of PIECES in flight on a stage at most, and move operations into slots that are free.
 * What is in it when it is false is no order.
 */
bool job_reorder(struct job_reorder *, struct schedule *, int pieces);

#endif
