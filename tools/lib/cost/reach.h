/*
 * A test whether a configuration can have a plan shorter than a given time. It considers whole layers, memory limits
 * and recomputation.
 */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>

#include "lib/record/configuration.h"

struct reach_layer {		/* all layers of one class */
	int count;
	double work;		/* s per micro-batch, forward and backward */
	double again[3];	/* s added if a layer recomputes nothing, selectively or fully, by enum recomputation */
	double memory[3];	/* bytes kept per micro-batch, by enum recomputation */
	double state;		/* bytes of weights, gradients and optimizer state of a layer */
};

struct reach {
	struct reach_layer layer[2];
	int first;			/* index of the class at the start of the model */
	bool parted;			/* all layers of that class precede all layers of the other class */
	double head_work, tail_work;	/* s per micro-batch: embedding; head with loss */
	/* bytes of embedding and head; the head's include memory in use only while it runs */
	double head_state, tail_state;
	double constant;		/* bytes in use on every stage */
	double limit;			/* bytes of memory of a device; 0: no limit */
	double transfer;		/* s of a transfer to the next stage */
	bool ends_alone;		/* the first and the last piece may be empty */
	/* any piece may be empty, and embedding and head may be on any piece; ends_work then holds their time */
	bool empty;
	double ends_work;		/* s per micro-batch of embedding and head together */
};

/*
 * Return false only if no plan has a pipeline shorter than TIME, s. The time of a step outside the pipeline does not
 * count.
 */
bool reach_below(const struct reach *, const struct configuration *, double time);

#endif
