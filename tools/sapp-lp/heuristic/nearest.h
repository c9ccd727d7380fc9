/*
 * Nearest plan: the plan with the least excess over the memory limits, or any plan that fits, regardless of its step.
 * It is found by enumeration of all layouts, or by local search. A lower bound on the excess of any plan is also
 * computed.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "sapp-lp/bound/capacity_bound.h"

struct excess {
	double mb;	/* MB by which every limit must rise for the nearest plan; INFINITY: no plan */
	double at_least;	/* lower bound on mb over all plans; -INFINITY: unknown */
	int stage;		/* the stage with the largest excess */
};

/* The nearest plan found so far. */
struct nearest_plan {
	const struct problem *p;
	struct excess e;
	struct candidate plan;		/* set if e.mb is less than INFINITY */
	int *layers;			/* [pieces], number of layers of the plan's pieces */
};

struct nearest_plan nearest_new(const struct problem *);
void nearest_free(struct nearest_plan *);
/* Return whether it is known that no plan is nearer, or the plan is near enough. */
bool nearest_known(const struct nearest_plan *);
/*
 * Fill pieces greedily. With one chunk per stage no other plan has less excess. If kinds differ in memory kept for W,
 * the result is only a lower bound.
 */
void nearest_fill(struct nearest_plan *);
/*
 * Search for a nearer plan with several chunks per stage, or if greedy filling gives only a lower bound. The search
 * lasts from BEGUN until DEADLINE (s of clock_now()).
 */
void nearest_search(struct nearest_plan *, const struct capacity_bound *, double begun, double deadline);

/* Distribute the layers about equally over LAYERS[pieces], at least one layer per piece if possible. */
void even_layers(const struct problem *, int *layers);
/*
 * Distribute layers evenly over stages, with more layers in the last chunks of a stage. Return false if a piece would
 * have too few layers.
 */
bool even_stages(const struct problem *, int *layers);

#endif
