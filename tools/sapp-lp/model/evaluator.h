/*
 * Order: a schedule compiled for evaluating many plans.
 *
 * The operations stand in one topological order, so that their times are one pass of
 * additions and maxima.  Costs are looked up by slot: phase * pieces + chunk * stages + stage;
 * the last slot costs nothing.
 */
#ifndef EVALUATOR_H
#define EVALUATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/schedule/schedule.h"

enum { LANES = 8 };	/* plans evaluated at once */
struct lanes { _Alignas(64) double at[LANES]; };	/* one number of each of them; allocate with evaluator_lanes() */

struct operation {
	uint32_t from;		/* the place of the time at which what it needs has ended; place 0: none */
	uint32_t to;		/* the place for the time at which it ends itself */
	uint16_t slot;
	uint16_t stage;
};

struct rows {			/* live micro-batches of each chunk at the moments that can be a stage's peak */
	int n;
	int *live;		/* [n][chunks], none dominated by another, nor all between two others that stand in line */
};

struct evaluator {
	int stages, chunks, micro, pieces;
	int slots;		/* phases * pieces + 1 */
	uint32_t noperations;
	struct operation *step;
	uint32_t *needs;	/* [noperations]: 1 + the step that must have ended, 0: none */
	uint8_t *remote;	/* [noperations]: what it needs comes from another stage */
	uint32_t places;	/* for the times at which steps end: a place is taken again once nothing needs its time any more */
	struct rows *rows;	/* [stages] */
};

/*
 * The schedule must be one that runs. FOLDED: it stands for twice the stages, so that data from one chunk of a
 * stage to another have to cross over to the stage opposite.
 */
struct evaluator evaluator_new(const struct schedule *, bool folded);
void evaluator_free(struct evaluator *);

/* Step times of LANES plans at once. COST[slots]; END[places] and CLOCK[stages] are room to work in. */
struct lanes evaluator_run(const struct evaluator *, const struct lanes *cost, double comm, struct lanes *end,
    struct lanes *clock);
struct lanes *evaluator_lanes(size_t n);	/* zeros; to be freed */

/* A longest path: how often it visits each slot, and how many delays between stages are on it. */
struct visits {
	double *at;		/* [slots] */
	double delays;
};
/* Step time of one plan and a longest path of it. END[noperations + 1] and CLOCK[stages] are room to work in. */
double evaluator_path(const struct evaluator *, const double *cost, double comm, double *end, double *clock,
    struct visits *path);
double visits_length(const struct evaluator *, const struct visits *, const double *cost, double comm);

#endif
