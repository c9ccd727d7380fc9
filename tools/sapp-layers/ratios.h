/* Layers of a network by a few ratios of their times. */
#ifndef RATIOS_H
#define RATIOS_H

#include <stdio.h>

#include "lib/record/architecture.h"

/* All over the forward of a mixture of experts, or of a layer where the network has none. */
struct ratios {
	double forward;		/* ms that this takes */
	double dense;		/* a dense layer's forward; below 0: 0.33 beside mixtures, 1 without */
	double backward;	/* a layer's backward over its own forward */
	double recompute;	/* what full recomputation adds to that, over its own forward */
	double select;		/* what selective recomputation adds; below 0: there is none */
	double head;		/* head, loss and further predictions, forward and backward together */
};

/* "dense=0.33,backward=2,head=1.5,recompute=1,forward=12.4": those that are not there are usual. Exits on others. */
struct ratios ratios_read(const char *text);

/* A model record and its layers: embedding, each run of equal layers, named as sapp-est does, and the end. */
void ratios_write(FILE *, const struct ratios *, const struct architecture *, const char *name);

#endif
