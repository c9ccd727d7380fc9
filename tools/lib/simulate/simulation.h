/*
 * Simulation: exact times, memory and critical path of a schedule under a load. An operation starts when its
 * predecessor on the stage and the operation it needs have ended, plus the delay between stages: the longest path in a
 * DAG, see sapp(7).
 */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdbool.h>

#include "lib/record/result.h"
#include "lib/schedule/schedule.h"
#include "load.h"

struct simulation {
	const struct schedule *schedule;
	const struct load *load;
	double step_time;	/* ms, the largest end, without overhead; -1: the order cannot run */
	double *end;		/* ms, by schedule_slot(); -1: never ran; NULL: not stored */
	size_t room;		/* of end */
	uint8_t *cause;		/* enum cause by index in schedule.op; NULL: not stored */
	struct list last;	/* ms per stage, end of its last operation */
	struct list peak;	/* MB per stage, maximum over the stage's order */
	struct idle idle;	/* empty lists: not stored */
	double ideal;		/* ms of the step with equal pieces and no transfer times; 0: not computed */
	double undelayed;	/* ms of the step without transfer times; 0: not computed */
	double simulated;	/* operations simulated, under all loads */
	double *ring;		/* ring buffer of end times that later operations need, if not all are stored */
	size_t ring_room;
};

/*
 * Simulate. *SIM must be zeroed before the first call; later calls reuse its memory. Return false if the order has a
 * cycle: simulation_cycle() then names its operations.
 */
bool simulation_run(struct simulation *, const struct schedule *, const struct load *);
/* Return the step including the time outside the pipeline, ms. */
double simulation_whole(const struct simulation *);
/* Return the step of a schedule without storing details, or INFINITY if it cannot run. */
double simulation_step(const struct schedule *, const struct load *);

/* Maximum number of additional loads. */
enum { SIMULATION_BESIDE = 2 };
/* Why an operation began when it did; of two overlapping ones, the first one's cause holds for both. */
enum cause {
	CAUSE_DATA = 1,		/* data arrived; without it, the predecessor on the stage ended */
	CAUSE_FIRST = 2,	/* the data of the first need arrived later than those of the second */
	CAUSE_SECOND = 4,	/* the data of the second need arrived later; neither bit: at the same time */
};
/*
 * Simulate without storing ends, which need much memory, but with causes and idle times. In the same pass get the STEP
 * (ms) under N further loads. All loads hide transfers and share TOGETHER. Returns false like simulation_run().
 */
bool simulation_run_told(struct simulation *, const struct schedule *, const struct load *, const struct load *beside,
    int n, double *step);
/* Simulate with the loads that simulation_bubble() compares with, or without them if transfers are not hidden. */
bool simulation_run_compared(struct simulation *, const struct schedule *, const struct load *);
void simulation_free(struct simulation *);
/* Return its memory in bytes, without the schedule. */
size_t simulation_bytes(const struct simulation *);
/* Return the time of an operation that does not overlap another. */
double simulation_duration(const struct load *, int stage, struct op);
/* Return the time for a mean micro-batch. */
double simulation_mean_duration(const struct load *, int stage, struct op);
/* Return the start of operation I of schedule.op, if ends are stored. */
double simulation_start(const struct simulation *, int stage, size_t i);
/* Return the MB that an operation adds to its stage: a forward at its start, other operations at their end. */
double simulation_memory(const struct load *, int stage, struct op);
/* Return the MB of its stage while OP runs, together with an overlapping neighbour; BEFORE: MB without them. */
double simulation_held(const struct load *, int stage, const struct op *op, double before);
/* Return a text naming the operations of a cycle; caller frees. */
char *simulation_cycle(const struct simulation *);

/* Time on the critical path by piece, [chunk][stage], and phase. */
struct path {
	struct table time[PHASES];
	double delay;		/* ms of communication on it */
};
struct path simulation_path(const struct simulation *);
void path_free(struct path *);

/* Return the bubble as defined in sapp(7). */
struct bubble simulation_bubble(const struct simulation *);

/* Return the MB by which a peak may exceed a limit and still fit: sums in another order round differently. */
double simulation_slack(double limit);

/* Return everything as a record, to be freed with fields_free(&sim_fields). LIMIT: MB, n = 0: unknown. */
struct sim simulation_result(const struct simulation *, const char *name, struct list limit);

#endif
