/*
 * Evaluator: a schedule compiled to compute the step times of many plans quickly.
 *
 * The operations are in one topological order, so that their end times are one pass of additions and maxima.  An
 * operation's cost is looked up by its slot, phase * pieces + chunk * stages + stage; the last slot costs nothing.
 * Where operations that run together take less than their sum they have phases of their own, by PHASES higher.
 */
#ifndef EVALUATOR_H
#define EVALUATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/overhead.h"
#include "lib/schedule/schedule.h"

enum { LANES = 8 };	/* plans evaluated at once */
struct lanes { _Alignas(64) double at[LANES]; };	/* one number of each; from evaluator_lanes() */

struct operation {
	uint32_t from;		/* the register with the end time of the operation that it needs; 0: it needs none */
	uint32_t to;		/* the register for its own end time */
	uint16_t slot;
	uint16_t stage;		/* or clock of transfers, see struct evaluator */
};

/*
 * The moments at which a stage's memory can peak, each a row of numbers of live micro-batches: the peak is the greatest
 * of fixed + sum of live[chunk] * activation[chunk] + held[chunk] * kept[chunk] + running[chunk] * transient[chunk]
 * over the rows. Rows that can never be the greatest are left out: those dominated by another, and those between two
 * ends of a straight line.
 */
struct rows {
	int n;
	int *live;		/* [n][chunks] */
	/* [n][chunks], micro-batches that wait for their W alone; zeros where those keep all their activations */
	int *held;
	int *running;	/* [n][chunks], operations of the chunk that run then; zeros where nothing is transient */
	/* The last row is of another moment than the pipeline's, with memory_floor alone: see row_parameter(). */
	bool other;
};

struct evaluator {
	int stages, chunks, micro, pieces;
	int whole;		/* stages that run: twice as many where two are planned as one, and it is not folded */
	int clocks;		/* those, and behind them the queues of transfers */
	int phases;		/* PHASES, or twice that */
	int slots;		/* phases * pieces + 1 */
	uint32_t noperations;
	struct operation *operation;
	uint32_t *needs;	/* [noperations]: 1 + the operation that must have ended, 0: none */
	uint32_t *previous;	/* [noperations]: 1 + the operation before it on its stage, 0: it is the first */
	uint32_t *unit;		/* [noperations]: the micro-batch, or part of one, that it is of */
	/* [noperations]: 1 + the boundary between stages that what it needs comes across; 0: none */
	uint16_t *edge;
	double *delay;		/* [1 + stages], ms at each boundary, by that number */
	bool delayed;		/* any of it is not 0 */
	uint32_t registers;	/* for end times: one is used again when nothing needs its time any more */
	struct rows *rows;	/* [stages] */
};

/*
 * The schedule must be one that runs. WHOLE: the one that it stands for, the same but where it is folded, so that each
 * stage stands for two (see struct problem), and data from one chunk of a stage to its other come from another stage.
 * TRANSIENT: pieces have memory that is there only while they run. KEEPS: see struct network. JOINED: operations that
 * run together have phases of their own. DELAY[stages]: ms that data take across the boundary behind each stage, the
 * last one's being that to the first, or where it is folded.
 */
struct evaluator evaluator_new(const struct schedule *, const struct schedule *whole, enum transfer_mode,
    bool transient, bool keeps, bool joined, const double *delay);
void evaluator_free(struct evaluator *);

/* Step times of LANES plans, ms. COST[slots]: ms; END[registers] and CLOCK[clocks] are scratch. */
struct lanes evaluator_run(const struct evaluator *, const struct lanes *cost, struct lanes *end, struct lanes *clock);
/*
 * Step times of one plan in LANES samples: of micro-batch m, which is SPLITS units, a piece's operations take
 * FACTOR[m * pieces + piece] times COST[slots].
 */
struct lanes evaluator_sample(const struct evaluator *, const double *cost, const struct lanes *factor, int splits,
    struct lanes *end, struct lanes *clock);
struct lanes *evaluator_lanes(size_t n);	/* zeros; to be freed */

/*
 * A path through the operations: how often it visits each slot, and the delays of communication on it. Its
 * length under any costs is a lower bound on the step time; so is that of a mean of paths, whose visits are fractions.
 */
struct visits {
	double *at;		/* [slots] */
	double delay;		/* ms */
};
/* The step time of one plan, ms, and its critical PATH. END[noperations + 1] and CLOCK[clocks] are scratch. */
double evaluator_path(const struct evaluator *, const double *cost, double *end, double *clock, struct visits *path);
double visits_length(const struct evaluator *, const struct visits *, const double *cost);

#endif
