/* A split of the layers over stages. Stages with the same layers form a class and are counted together. */
#ifndef STAGE_SPLIT_H
#define STAGE_SPLIT_H

#include "parameters.h"

struct stage_class {		/* stages with the same layers, embedding and head */
	int layers[CLASSES_MOST];
	bool first, last;	/* the stage has the embedding; the head */
	int at;			/* first stage of the class, which has most micro-batches in flight */
	int count;			/* number of stages in the class */
};

struct stage_split {
	int stages, tail, nclasses;
	struct stage_class *class;
	int *of;		/* [stages], index in class of each stage's class */
};

/*
 * Split by LAYERS, the number of layers of each stage. If LAYERS is NULL, split evenly, with the last stage's TAIL
 * counted as additional layers. Each stage from the second to the last but one gets one of the remaining layers. If
 * more remain, the first stage gets one, then the last.
 */
struct stage_split stage_split_new(const struct architecture *, int stages, int tail, const int *layers);
void stage_split_free(struct stage_split *);

#endif
