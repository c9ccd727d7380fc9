/*
 * Nearest: the plan that exceeds the memory limits least, or fits, whatever its step time: by going through all
 * layouts, or local search; and a lower bound on by how much any plan exceeds them.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "sapp-lp/bound/capacity_bound.h"

struct excess {
	double mb;	/* by which every limit must be raised for the plan to fit; INFINITY: there is no plan */
	double at_least;	/* a lower bound on that, MB, for any plan; -INFINITY: not known */
	int stage;		/* whose limit the plan exceeds most */
};

/* Of those tried so far. */
struct nearest {
	const struct problem *p;
	struct excess e;
	struct candidate plan;		/* set when e.mb is less than INFINITY */
	int *layers;			/* [pieces], of the plan */
};

struct nearest nearest_new(const struct problem *);
void nearest_free(struct nearest *);
/* Is it known that there is nothing nearer, or that this is near enough? */
bool nearest_known(const struct nearest *);
/*
 * By greedy filling.  With one chunk a stage no plan exceeds by less: where kinds differ in what waits for W, than by
 * what greedy filling says, which goes by a lower bound.
 */
void nearest_fill(struct nearest *);
/*
 * With several chunks a stage, or where greedy filling goes by a lower bound on memory: from BEGUN until DEADLINE (s of
 * clock.h) at most.
 */
void nearest_search(struct nearest *, const struct capacity_bound *, double begun, double deadline);

/* LAYERS[pieces] about as many in each piece, where there are enough for all. */
void even_layers(const struct problem *, int *layers);
/* The same by stages, the last chunks of which have more than the first. False: a piece would have too few. */
bool even_stages(const struct problem *, int *layers);

#endif
