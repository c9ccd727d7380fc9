/* Longest: the longest path through the operations of a step, as the operations themselves. */
#ifndef LONGEST_H
#define LONGEST_H

#include "sapp-lp/model/problem.h"

struct step {			/* operations of a stage, one behind the other, by their place in its order */
	int stage, first, last;
};

struct longest {
	const struct problem *p;
	double *end;		/* [noperations + 1], ms; scratch */
	int *place;		/* [noperations], in the order of its stage */
	uint32_t *at, *first;	/* [noperations], by stage, the inverse; [clocks + 1], where each stage's begin */
	int nsteps;
	struct step *step;	/* [nsteps], of the path found last */
};

struct longest longest_new(const struct problem *);
void longest_free(struct longest *);
/* The evaluator's operation that is the N-th of a stage. */
uint32_t longest_operation(const struct longest *, int stage, int n);
/* The longest path under COST[slots], ms; its length. */
double longest_find(struct longest *, const double *cost);

#endif
