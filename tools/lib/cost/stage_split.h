/* The even split of layers over stages, with equal stages counted together. */
#ifndef STAGE_SPLIT_H
#define STAGE_SPLIT_H

#include "parameters.h"

struct stage_class {		/* stages with equal layers and ends */
	int layers[CLASSES_MOST];
	bool first, last;	/* first: has the embedding; last: has the head */
	int at;			/* the first such stage, with most micro-batches in flight */
	int count;
};

struct stage_split {
	int stages, tail, nclasses;
	struct stage_class *class;
	int *of;		/* [stages] */
};

/*
 * Split by LAYERS of each stage. If NULL, split evenly: remaining layers go one each to the second stage up to the last
 * but one, then to the first, then to the last. The last stage counts TAIL additional layers.
 */
struct stage_split stage_split_new(const struct architecture *, int stages, int tail, const int *layers);
void stage_split_free(struct stage_split *);

#endif
