/* Longest: the longest path through the operations of a step, as a list of operations. */
#ifndef LONGEST_H
#define LONGEST_H

#include "sapp-lp/model/problem.h"

struct step {			/* consecutive operations of a stage, by position in its order */
	int stage, first, last;
};

struct longest {
	const struct problem *p;
	double *end;		/* [noperations + 1], ms; buffer */
	int *place;		/* [noperations], position on its stage */
	uint32_t *at, *first;	/* [noperations], inverse of place, by stage; [clocks + 1], start of each stage */
	int nsteps;
	struct step *step;	/* [nsteps], of the last path found */
};

struct longest longest_new(const struct problem *);
void longest_free(struct longest *);
/* Return the evaluator's operation number N of a stage. */
uint32_t longest_operation(const struct longest *, int stage, int n);
/* Find the longest path under COST[slots], ms; return its length. */
double longest_find(struct longest *, const double *cost);

#endif
