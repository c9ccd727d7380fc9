/*
 * Simulation: exact times, memory and critical path of a schedule under a load. An operation starts when the previous
 * operation of its stage has ended and its data have arrived. The step is the longest path in a DAG, see sapp(7).
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
	double step_time;	/* ms, end of the last operation, without overhead; -1: the order has a cycle */
	double *end;		/* ms, end of each operation, by schedule_slot(); -1: it never ran; NULL: not stored */
	size_t room;		/* number of entries that end has room for */
	uint8_t *cause;		/* enum cause of each operation, by index in schedule.op; NULL: not stored */
	struct list last;	/* ms, end of the last operation of each stage */
	struct list peak;	/* MB, maximum of each stage over its order */
	struct idle idle;	/* empty lists: not stored */
	double ideal;		/* ms of a step with equal pieces and no transfer times; 0: not computed */
	double undelayed;	/* ms of the step without transfer times; 0: not computed */
	double simulated;	/* number of operations simulated in all runs, under all loads */
	double *ring;	/* ring buffers of end times that later operations need, used if not all ends are stored */
	size_t ring_room;
};

/*
 * Simulate. *SIM must be zeroed before its first use; later calls reuse its memory. Return false if the order has a
 * cycle. simulation_cycle() then names its operations.
 */
bool simulation_run(struct simulation *, const struct schedule *, const struct load *);
/* Return the ms of the step, including the time outside the pipeline. */
double simulation_whole(const struct simulation *);
/* Return the ms of the step of a schedule, or INFINITY if its order has a cycle. Stores nothing. */
double simulation_step(const struct schedule *, const struct load *);

/* Maximum number of additional loads. */
enum { SIMULATION_BESIDE = 2 };
/*
 * Why an operation began when it did, as bits. For two overlapping operations, the entry of the first one holds for
 * both.
 */
enum cause {
	CAUSE_DATA = 1,		/* its data arrived; unset: the previous operation of the stage ended */
	CAUSE_FIRST = 2,	/* the data of the first operation arrived later than the data of the second */
	CAUSE_SECOND = 4,	/* the data of the second operation arrived later; neither bit: both arrived at once */
};
/*
 * Simulate and store causes and idle times instead of ends, which need much memory. In the same pass get the STEP, ms,
 * under each of N further loads. All loads must hide transfers and have equal TOGETHER. Return false if the order has a
 * cycle.
 */
bool simulation_run_told(struct simulation *, const struct schedule *, const struct load *, const struct load *beside,
    int n, double *step);
/*
 * Simulate, in the same pass, the further loads that simulation_bubble() compares with. If transfers are not hidden,
 * simulate this load alone.
 */
bool simulation_run_compared(struct simulation *, const struct schedule *, const struct load *);
void simulation_free(struct simulation *);
/* Return the bytes of memory that it uses, without the schedule. */
size_t simulation_bytes(const struct simulation *);
/* Return the ms of an operation that does not overlap another one. */
double simulation_duration(const struct load *, int stage, struct op);
/* Return the ms of the operation for a micro-batch of mean length. */
double simulation_mean_duration(const struct load *, int stage, struct op);
/* Return the ms at which operation I of schedule.op starts. Ends must be stored. */
double simulation_start(const struct simulation *, int stage, size_t i);
/*
 * Return the MB by which an operation changes the memory of its stage. A forward does so at its start, other operations
 * at their end.
 */
double simulation_memory(const struct load *, int stage, struct op);
/* Return the MB in use on the stage while OP and an operation that overlaps it run. BEFORE: MB in use before both. */
double simulation_held(const struct load *, int stage, const struct op *op, double before);
/* Return a text that names the operations of a cycle. Caller frees. */
char *simulation_cycle(const struct simulation *);

/* Time on the critical path by phase and piece, [chunk][stage]. */
struct path {
	struct table time[PHASES];
	double delay;		/* ms of transfers on the path */
};
struct path simulation_path(const struct simulation *);
void path_free(struct path *);

/* Return the bubble, as sapp(7) defines it. */
struct bubble simulation_bubble(const struct simulation *);

/* Return the MB by which a peak may exceed LIMIT and still fit. Sums in another order round differently. */
double simulation_slack(double limit);

/* Return all results as a record. Caller frees it with fields_free(&sim_fields). LIMIT: MB; empty: unknown. */
struct sim simulation_result(const struct simulation *, const char *name, struct list limit);

#endif
