/* The even split of a network's layers over stages, with equal stages counted together. */
#ifndef STAGE_SPLIT_H
#define STAGE_SPLIT_H

#include "parameters.h"

struct stage_class {		/* stages with the same layers, and the same ends */
	int layers[CLASSES_MOST];
	bool first, last;	/* has the embedding, the head */
	int at;			/* the first such stage, which has most micro-batches in flight */
	int count;
};

struct stage_split {
	int stages, tail, nclasses;
	struct stage_class *class;
	int *of;		/* [stages] */
};

/*
 * LAYERS of each stage; where they are NULL, layers left over go one each to the stages from the second to the last
 * but one, then the first, then the last, with so many layers more that TAIL stands for, which the last stage has.
 */
struct stage_split stage_split_new(const struct architecture *, int stages, int tail, const int *layers);
void stage_split_free(struct stage_split *);

#endif
