/*
 * Can any plan of a configuration be shorter than a given time?  Whole layers, memory and recomputation are looked
 * at.
 */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>

#include "lib/record/configuration.h"

struct reach_layer {		/* of one kind */
	int count;
	double work;		/* s, forward and backward for one micro-batch */
	double again[3];	/* s that keeping all, keeping less, keeping the input alone adds; enum recomputation */
	double memory[3];	/* bytes that these keep of it for one micro-batch */
	double state;		/* bytes of weights, gradients and optimizer */
};

struct reach {
	struct reach_layer layer[2];
	int first;			/* which kind of them the model begins with */
	bool parted;			/* all layers of that kind come before those of the other */
	double head_work, tail_work;	/* s: embedding; head with loss */
	double head_state, tail_state;	/* bytes; the tail's with what is there while it runs */
	double constant;		/* bytes on every stage */
	double limit;			/* bytes of a device; 0: none */
	double transfer;		/* s from a stage to the next */
	bool ends_alone;		/* the first and the last piece may be without layers */
	bool empty;			/* pieces may be without layers, and ends may have any piece: */
	double ends_work;		/* s of both ends, which are then not on a stage that is known */
};

/* False only where none is: time in seconds, of the pipeline alone. */
bool reach_below(const struct reach *, const struct configuration *, double time);

#endif
