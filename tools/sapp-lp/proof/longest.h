/* Longest: finds the longest path through the operations of a step, as a list of operations. */
#ifndef LONGEST_H
#define LONGEST_H

#include "sapp-lp/model/problem.h"

struct step {			/* consecutive operations of a stage, by their positions in its order */
	int stage, first, last;
};

struct longest {
	const struct problem *p;
	double *end;		/* [noperations + 1], ms; buffer */
	int *place;		/* [noperations], position of each operation on its stage */
	/* [noperations], operations by stage and place; [clocks + 1], index of each stage's first operation */
	uint32_t *at, *first;
	int nsteps;
	struct step *step;	/* [nsteps], steps of the last path found */
};

struct longest longest_new(const struct problem *);
void longest_free(struct longest *);
/* Return the evaluator's index of operation N of a stage. */
uint32_t longest_operation(const struct longest *, int stage, int n);
/* Find the longest path under COST[slots], ms, and return its length. */
double longest_find(struct longest *, const double *cost);

#endif
