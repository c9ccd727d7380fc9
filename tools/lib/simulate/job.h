/*
 * Job: a schedule of split backwards as a job shop, for which orders are made: one chunk a stage, or two that go forth
 * and back. Micro-batches of a chunk keep their order. Private to the files that make orders.
 */
#ifndef JOB_H
#define JOB_H

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

/*
 * Orders are made for several times of transfers, the rungs, whatever the real ones are: these decide only which of the
 * orders made is taken. The last lane has the real ones.
 */
enum { RUNGS = 4, JOB_LANES = RUNGS + 1, QUEUES = 4 };
struct lanes {
	double at[JOB_LANES];
};

struct job {
	int stages, chunks, micro;
	double *time;		/* ms, [stage][chunk][PHASES] */
	double *delay[JOB_LANES];	/* ms, [stage]: from a stage to the next one */
	double *activation;	/* MB, [stage][chunk]: there from the start of F on */
	double *kept;		/* MB, what a B leaves to its W */
	double *tail;		/* ms behind the last operation, [stage] */
	double *limit;		/* MB, [stage]: less what is there only while an operation runs */
	const struct load *load;	/* for what is outside the pipeline */
	struct lanes *end;		/* room for job_steps(), [stage][queue][micro] */
};

/* A queue: forwards or backwards of a chunk of a stage. */
static inline int
queue_number(struct op op)
{
	return 2 * op.chunk + (op.phase != PHASE_F);
}

/* The queue that a queue waits for, and on which stage; false: it waits for none. */
static inline bool
queue_from(const struct job *j, int stage, int k, int *from, int *queue)
{
	int last = j->stages - 1;

	*queue = k;
	switch (k) {
	case 0:
		*from = stage - 1;
		return stage > 0;
	case 1:
		*from = stage + 1;
		if (stage < last)
			return true;
		*from = stage;
		*queue = j->chunks == 1 ? 0 : 3;
		return true;
	case 2:
		*from = stage + 1;
		if (stage == last) {
			*from = stage;
			*queue = 0;
		}
		return true;
	default:
		*from = stage - 1;
		if (stage == 0) {
			*from = stage;
			*queue = 2;
		}
		return true;
	}
}

struct job job_new(const struct schedule *, const struct load *, const struct room *);
void job_free(struct job *);
/* ms from one stage to a neighbour or to itself. */
static inline double
job_delay(const struct job *j, int lane, int from, int to)
{
	return from == to ? 0 : j->delay[lane][from < to ? from : to];
}
/* The steps of an order at all lanes, with the stages' tails; false: it cannot run. */
bool job_steps(struct job *, const struct schedule *, double step[JOB_LANES]);
/* Does an order stay within the limits? */
bool job_fits(const struct job *, const struct schedule *);

#endif
