/*
 * Evaluator: a schedule compiled to compute the step times of many plans quickly.
 *
 * The operations are in one topological order, so that their end times are one pass of additions and maxima. An
 * operation's cost is looked up by its slot, phase * pieces + chunk * stages + stage; the last slot costs nothing. If
 * operations that run together take less than their sum, they have phases of their own, higher by PHASES.
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
	uint32_t from;		/* register with the end of the operation it needs; 0: none */
	uint32_t to;		/* register of its own end */
	uint16_t slot;
	uint16_t stage;		/* or a clock of transfers, see struct evaluator */
};

/*
 * Moments at which a stage's memory can peak, each a row of live micro-batches. The peak is the maximum over rows of
 * fixed + sum of live[chunk] * activation[chunk] + held[chunk] * kept[chunk] + running[chunk] * transient[chunk]. Omits
 * rows that cannot be the maximum: rows dominated by another, or between two ends of a straight line.
 */
struct rows {
	int n;
	int *live;		/* [n][chunks] */
	/* [n][chunks], micro-batches that only wait for their W; 0 if these keep all activations */
	int *held;
	int *running;	/* [n][chunks], running operations of the chunk; zeros without transient memory */
	/* The last row is a moment outside the pipeline, with only memory_floor: see row_parameter(). */
	bool other;
};

struct evaluator {
	int stages, chunks, micro, pieces;
	/* running stages: if two are planned as one and the schedule is not folded, twice the stages */
	int whole;
	int clocks;		/* stages, then queues of transfers */
	int phases;		/* PHASES, or twice that */
	int slots;		/* phases * pieces + 1 */
	uint32_t noperations;
	struct operation *operation;
	uint32_t *needs;	/* [noperations]: 1 + its dependency, 0: none */
	uint32_t *previous;	/* [noperations]: 1 + its predecessor on the stage, 0: first */
	uint32_t *unit;		/* [noperations]: its micro-batch, or part of one */
	/* [noperations]: 1 + the boundary crossed by its data; 0: none */
	uint16_t *edge;
	double *delay;		/* [1 + stages], ms, by edge */
	bool delayed;		/* some delay is not 0 */
	uint32_t registers;	/* for end times, reused when no longer needed */
	struct rows *rows;	/* [stages] */
};

/*
 * Compile a valid schedule. WHOLE: the schedule that it represents. It is the same, unless the schedule is folded: then
 * each stage stands for two (see struct problem), and data between two chunks of a stage come from another stage.
 * TRANSIENT: pieces have memory in use only while they run. KEEPS: see struct network. JOINED: overlapping operations
 * have their own phases. DELAY[stages]: ms of a transfer across the boundary after each stage; the last boundary leads
 * to the first stage, or is the fold.
 */
struct evaluator evaluator_new(const struct schedule *, const struct schedule *whole, enum transfer_mode,
    bool transient, bool keeps, bool joined, const double *delay);
void evaluator_free(struct evaluator *);

/* Return the steps of LANES plans, ms. COST[slots]: ms; END[registers] and CLOCK[clocks] are buffers. */
struct lanes evaluator_run(const struct evaluator *, const struct lanes *cost, struct lanes *end, struct lanes *clock);
/*
 * Return the steps of one plan in LANES samples: operations of a piece in micro-batch m, of SPLITS units, take FACTOR[m
 * * pieces + piece] times COST[slots].
 */
struct lanes evaluator_sample(const struct evaluator *, const double *cost, const struct lanes *factor, int splits,
    struct lanes *end, struct lanes *clock);
struct lanes *evaluator_lanes(size_t n);	/* zeros; caller frees */

/*
 * A path through the operations: visits of each slot, and transfer delays. Its length under any costs is a lower bound
 * on the step. So is the length of a mean of paths, with fractional visits.
 */
struct visits {
	double *at;		/* [slots] */
	double delay;		/* ms */
};
/* Return the step of one plan, ms, and its critical PATH. END[noperations + 1] and CLOCK[clocks] are buffers. */
double evaluator_path(const struct evaluator *, const double *cost, double *end, double *clock, struct visits *path);
double visits_length(const struct evaluator *, const struct visits *, const double *cost);

#endif
