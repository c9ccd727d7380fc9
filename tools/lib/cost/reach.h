/*
 * Check whether any plan of a configuration may be shorter than a given time, with whole layers, memory and
 * recomputation.
 */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>

#include "lib/record/configuration.h"

struct reach_layer {		/* all layers of one class */
	int count;
	double work;		/* s per micro-batch, forward and backward */
	double again[3];	/* s added if all, less, or only the input is kept; index: enum recomputation */
	double memory[3];	/* bytes kept per micro-batch */
	double state;		/* bytes of weights, gradients and optimizer state */
};

struct reach {
	struct reach_layer layer[2];
	int first;			/* index of the class at the start of the model */
	bool parted;			/* all layers of that class precede the other class */
	double head_work, tail_work;	/* s: embedding; head with loss */
	double head_state, tail_state;	/* bytes; the tail's includes memory in use while it runs */
	double constant;		/* bytes on every stage */
	double limit;			/* bytes of a device; 0: no limit */
	double transfer;		/* s to the next stage */
	bool ends_alone;		/* first and last piece may be empty */
	/* all pieces may be empty, and ends may be on any piece; ends_work is then set */
	bool empty;
	double ends_work;		/* s of both ends, on an unknown stage */
};

/* Return false only if no plan has a pipeline shorter than TIME (s); time outside the pipeline does not count. */
bool reach_below(const struct reach *, const struct configuration *, double time);

#endif
