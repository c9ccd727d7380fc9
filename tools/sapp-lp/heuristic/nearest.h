/*
 * Nearest: the plan with the least excess over the memory limits, or one that fits, whatever its step: by enumeration
 * of all layouts, or local search; with a lower bound on the excess of any plan.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "sapp-lp/bound/capacity_bound.h"

struct excess {
	double mb;	/* MB by which every limit must rise for the plan; INFINITY: no plan */
	double at_least;	/* lower bound on mb of any plan; -INFINITY: unknown */
	int stage;		/* the stage with the largest excess */
};

/* The nearest plan tried. */
struct nearest_plan {
	const struct problem *p;
	struct excess e;
	struct candidate plan;		/* set if e.mb is less than INFINITY */
	int *layers;			/* [pieces], of the plan */
};

struct nearest_plan nearest_new(const struct problem *);
void nearest_free(struct nearest_plan *);
/* Return whether no nearer plan exists, or this one is near enough. */
bool nearest_known(const struct nearest_plan *);
/*
 * Fill greedily. With one chunk per stage no plan exceeds by less; if kinds differ in memory kept for W, the result is
 * only a lower bound.
 */
void nearest_fill(struct nearest_plan *);
/*
 * Search with several chunks per stage, or if greedy filling gives only a lower bound: from BEGUN until DEADLINE (s of
 * clock.h).
 */
void nearest_search(struct nearest_plan *, const struct capacity_bound *, double begun, double deadline);

/* Get LAYERS[pieces] with about equal numbers, at least one each if possible. */
void even_layers(const struct problem *, int *layers);
/* Divide layers evenly over stages, with more in the last chunks of a stage. Return false if a piece has too few. */
bool even_stages(const struct problem *, int *layers);

#endif
