/*
 * Evaluator: a schedule compiled to compute the step times of many plans quickly.
 *
 * The operations are in one topological order, so one pass of additions and maxima computes their end times. An
 * operation's cost is found by its slot, phase * pieces + chunk * stages + stage; the last slot costs nothing. If
 * overlapping operations take less time than their sum, they have phases of their own: the usual phase + PHASES.
 */
#ifndef EVALUATOR_H
#define EVALUATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/overhead.h"
#include "lib/schedule/schedule.h"

enum { LANES = 8 };	/* plans evaluated at once */
struct lanes { _Alignas(64) double at[LANES]; };	/* one number per plan; allocate with evaluator_lanes() */

struct operation {
	uint32_t from;		/* register with the end time of the dependency; 0: none */
	uint32_t to;		/* register of the operation's own end time */
	uint16_t slot;
	uint16_t stage;		/* or a queue of transfers: see clocks of struct evaluator */
};

/*
 * Moments at which a stage's memory can peak; each moment is a row of live micro-batches. The peak is the maximum over
 * rows of fixed + sum of live[chunk] * activation[chunk] + held[chunk] * kept[chunk] + running[chunk] *
 * transient[chunk]. Omits rows that cannot be the maximum: rows that another row dominates, and rows between two ends
 * of a straight line.
 */
struct rows {
	int n;
	int *live;		/* [n][chunks] */
	/* [n][chunks], micro-batches that only wait for their W; 0 if waiting micro-batches keep all activations */
	int *held;
	int *running;	/* [n][chunks], running operations of the chunk; 0 without transient memory */
	/* The last row is a moment outside the pipeline, with memory_floor only: see row_parameter(). */
	bool other;
};

struct evaluator {
	int stages, chunks, micro, pieces;
	/* number of running stages: twice the stages if two stages are planned as one and the schedule is not folded */
	int whole;
	int clocks;		/* number of stages plus queues of transfers */
	int phases;		/* PHASES, or twice that */
	int slots;		/* phases * pieces + 1 */
	uint32_t noperations;
	struct operation *operation;
	uint32_t *needs;	/* [noperations]: 1 + index of its dependency; 0: none */
	uint32_t *previous;	/* [noperations]: 1 + index of the preceding operation on the stage; 0: first */
	uint32_t *unit;		/* [noperations]: its micro-batch, or part of a micro-batch */
	/* [noperations]: 1 + the boundary that its data cross; 0: none */
	uint16_t *edge;
	double *delay;		/* [1 + stages], ms, by value of edge */
	bool delayed;		/* some transfer delay is not 0 */
	/* number of registers for end times; a register is reused when its time is no longer needed */
	uint32_t registers;
	struct rows *rows;	/* [stages] */
};

/*
 * Compile a valid schedule. WHOLE: the schedule that it represents, the same unless the schedule is folded. In a folded
 * schedule each stage stands for two (see struct problem), and data between two chunks of a stage come from another
 * stage. TRANSIENT: pieces have memory in use only while they run. KEEPS: see struct network. JOINED: overlapping
 * operations have their own phases. DELAY[stages]: ms of a transfer across the boundary after each stage. The last
 * boundary leads to the first stage, or is the fold.
 */
struct evaluator evaluator_new(const struct schedule *, const struct schedule *whole, enum transfer_mode,
    bool transient, bool keeps, bool joined, const double *delay);
void evaluator_free(struct evaluator *);

/* Return the step times of LANES plans, ms. COST[slots]: ms; END[registers] and CLOCK[clocks] are buffers. */
struct lanes evaluator_run(const struct evaluator *, const struct lanes *cost, struct lanes *end, struct lanes *clock);
/*
 * Return the step times of one plan in LANES samples, ms. Operations of a piece in micro-batch m take FACTOR[m * pieces
 * + piece] times COST[slots]; a micro-batch consists of SPLITS units.
 */
struct lanes evaluator_sample(const struct evaluator *, const double *cost, const struct lanes *factor, int splits,
    struct lanes *end, struct lanes *clock);
struct lanes *evaluator_lanes(size_t n);	/* return N zeros; caller frees */

/*
 * A path through the operations: the number of visits of each slot, and the transfer delays. The path's length under
 * any costs is a lower bound on the step time. So is the length of a mean of paths, which has fractional visits.
 */
struct visits {
	double *at;		/* [slots] */
	double delay;		/* ms */
};
/* Return the step time of one plan, ms, and its critical PATH. END[noperations + 1] and CLOCK[clocks] are buffers. */
double evaluator_path(const struct evaluator *, const double *cost, double *end, double *clock, struct visits *path);
double visits_length(const struct evaluator *, const struct visits *, const double *cost);

#endif
