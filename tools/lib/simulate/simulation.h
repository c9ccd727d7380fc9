/*
 * Simulation: exact times, memory and critical path of a schedule under a load.
 * An operation starts when the one before it on its stage and the one it needs have ended (plus
 * the delay between stages): the longest path in a DAG, sapp.7.
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
	double *end;		/* ms, by schedule_slot(); -1: never ran; NULL: not kept */
	size_t room;		/* of end */
	uint8_t *cause;		/* enum cause of each in schedule.op; NULL: not told */
	struct list last;	/* ms per stage, the end of its last operation */
	struct list peak;	/* MB per stage, along the stage's order */
	struct idle idle;	/* without lists: not told */
	double ideal;		/* ms, the step if all pieces were equal and data took no time; 0: not known yet */
	double undelayed;	/* ms, the step if data took no time; 0: not known yet */
	double simulated;	/* operations so far, under all loads */
	double *ring;		/* room for ends that operations wait for, where they are not kept */
	size_t ring_room;
};

/*
 * Run it. *SIM must be zeroed before the first time; later runs use its memory again. False when the order has a
 * cycle: simulation_cycle() then names the operations on it.
 */
bool simulation_run(struct simulation *, const struct schedule *, const struct load *);
/* The step with what it takes outside the pipeline, ms. */
double simulation_whole(const struct simulation *);
/* The same of a schedule that is not looked into; INFINITY: it cannot run. */
double simulation_step(const struct schedule *, const struct load *);

/* At most so many loads beside the one that is asked for. */
enum { SIMULATION_BESIDE = 2 };
/* Why an operation began when it did; of two that run together those of the first one are of both. */
enum cause {
	CAUSE_DATA = 1,		/* data came; without it, the one before it on its stage ended */
	CAUSE_FIRST = 2,	/* the first one's came later than the second one's */
	CAUSE_SECOND = 4,	/* the second one's came later; neither: both at once */
};
/*
 * The same without the ends, which take much memory, but with the causes and idle times. In the same pass under N
 * more loads, of each the step alone, ms. In all of them transfers are hidden, and TOGETHER is the same. Where it is
 * false, as simulation_run().
 */
bool simulation_run_told(struct simulation *, const struct schedule *, const struct load *, const struct load *beside,
    int n, double *step);
/* With those loads beside that simulation_bubble() compares with; without them where transfers are not hidden. */
bool simulation_run_compared(struct simulation *, const struct schedule *, const struct load *);
void simulation_free(struct simulation *);
/* Of memory that it takes beside the schedule. */
size_t simulation_bytes(const struct simulation *);
/* Time of an operation that is not joined with another. */
double simulation_duration(const struct load *, int stage, struct op);
/* Of a micro-batch like the mean one. */
double simulation_mean_duration(const struct load *, int stage, struct op);
/* When the I-th operation of schedule.op began, where ends are kept. */
double simulation_start(const struct simulation *, int stage, size_t i);
/* What an operation adds to the memory of its stage, MB: a forward when it begins, others when they end. */
double simulation_memory(const struct load *, int stage, struct op);
/*
 * MB that its stage holds while operation OP of its order runs, one of its neighbours with it where they are joined,
 * with BEFORE MB without them.
 */
double simulation_held(const struct load *, int stage, const struct op *op, double before);
/* Text naming the operations that wait for one another; to be freed. */
char *simulation_cycle(const struct simulation *);

/* Time that the longest chain of operations spends in each piece, [chunk][stage], by phase. */
struct path {
	struct table time[PHASES];
	double delay;		/* ms of communication on it: the rest */
};
struct path simulation_path(const struct simulation *);
void path_free(struct path *);

/* The bubble as its users know it, sapp.7. */
struct bubble simulation_bubble(const struct simulation *);

/* MB by which a peak may exceed a limit and still fit: sums in another order differ by rounding. */
double simulation_slack(double limit);

/* All of it as a record, free with fields_free(&sim_fields). LIMIT: MB, n = 0: none known. */
struct sim simulation_result(const struct simulation *, const char *name, struct list limit);

#endif
