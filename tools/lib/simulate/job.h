/*
 * Job: a schedule as a job shop, for which orders are made. Micro-batches of a chunk keep their order. Backwards are
 * all whole, or all split. Private to the files that make orders.
 */
#ifndef JOB_H
#define JOB_H

#include <stdlib.h>

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

/*
 * Orders are made for several times of transfers, the rungs, whatever the real ones are: these decide only which of the
 * orders made is taken. The last lane has the real ones.
 */
enum { RUNGS = 4, JOB_LANES = RUNGS + 1 };
struct job_times {
	double at[JOB_LANES];
};

/* A queue is forwards or backwards of a chunk of a stage. What one of them waits for; stage -1: nothing. */
struct feed {
	int stage, queue;
};

struct job {
	int stages, chunks, micro;
	int queues;		/* of a stage: 2 chunks */
	bool whole;		/* backwards are: they take and hold what the first part does otherwise */
	bool v;			/* split, and of two chunks that go forth and back: job_blocks.h */
	struct feed *feed;	/* [stage][queue] */
	double *time;		/* ms, [stage][chunk][PHASES] */
	double *delay[JOB_LANES];	/* ms, [stage]: from a stage to the next one, and from the last to the first */
	double *activation;	/* MB, [stage][chunk]: there from the start of F on */
	double *kept;		/* MB, what a B leaves to its W */
	bool grows;		/* more than there was before, in a piece: the rest of B made it anew */
	double *tail;		/* ms behind the last operation, [stage] */
	double *limit;		/* MB, [stage]: less what is there only while an operation runs */
	bool unlike;		/* see room.h */
	const struct load *load;	/* for what is outside the pipeline */
	struct job_times *end;		/* room for job_steps(), [stage][queue][micro] */
};

static inline int
queue_number(struct op op)
{
	return 2 * op.chunk + (op.phase != PHASE_F);
}

static inline enum phase
queue_phase(const struct job *j, int queue)
{
	return queue % 2 == 0 ? PHASE_F : j->whole ? PHASE_B : PHASE_I;
}

static inline struct feed
queue_feed(const struct job *j, int stage, int queue)
{
	return j->feed[stage * j->queues + queue];
}

struct job job_new(const struct schedule *, const struct load *, const struct room *);
void job_free(struct job *);
/* Room for an order of all operations of the job that a schedule was made into; free with schedule_free(). */
struct schedule job_order(const struct job *, const struct schedule *);
/* Are an order's micro-batches of each chunk in turn? Only of such an order job_steps() tells. */
bool job_in_turn(const struct job *, const struct schedule *);
/* ms from one stage to a neighbour, to itself, or from the last to the first and back. */
static inline double
job_delay(const struct job *j, int lane, int from, int to)
{
	return from == to ? 0 : j->delay[lane][abs(from - to) > 1 ? j->stages - 1 : from < to ? from : to];
}
/* The steps of an order at all lanes, with the stages' tails; false: it cannot run, they are infinite. */
bool job_steps(struct job *, const struct schedule *, double step[JOB_LANES]);
/* Does an order stay within the limits? */
bool job_fits(const struct job *, const struct schedule *);

#endif
