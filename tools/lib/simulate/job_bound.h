/* Bound of a job: what no order of its operations is shorter than. */
#ifndef JOB_BOUND_H
#define JOB_BOUND_H

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

/*
 * ms, no longer than the step of any order of a schedule's operations that holds no more than the room on any stage;
 * 0: none is known, as times vary between micro-batches. The largest over the stages of: the load of a stage, from
 * when the first data come to it until what its last backward makes has gone back, where in the meantime a W waits only
 * as long as there is memory; the same with the time for which it has no memory for forwards until a backward can come;
 * what its micro-batches hold, for as long as they do at least, over its memory; and the chain of one micro-batch.
 * Backwards may be split where they are anywhere. Rounding has been taken off.
 */
double job_bound(const struct schedule *, const struct load *, const struct room *);

#endif
