/* Ratios: create the layers of a network from a few ratios of their times. */
#ifndef RATIOS_H
#define RATIOS_H

#include <stdio.h>

#include "lib/record/architecture.h"

/*
 * All ratios are relative to the forward of a mixture-of-experts layer; in networks without experts, to that of a
 * layer.
 */
struct ratios {
	double forward;		/* ms, forward of such a layer */
	double dense;		/* forward of a dense layer; below 0: 0.33 in networks with experts, otherwise 1 */
	double backward;	/* backward of a layer / its forward */
	double recompute;	/* time that full recomputation adds / its forward */
	double select;		/* time that selective recomputation adds / its forward; below 0: no such kind */
	double head;		/* forward plus backward of head, loss and multi-token prediction */
};

/*
 * Parse "dense=0.33,backward=2,head=1.5,recompute=1,forward=12.4". Missing ratios have defaults. Exits on unknown
 * names.
 */
struct ratios ratios_read(const char *text);

/*
 * Write a model record and its layers: the embedding, runs of equal layers, and the model's end. Layers are named as
 * sapp-est names them.
 */
void ratios_write(FILE *, const struct ratios *, const struct architecture *, const char *name);

#endif
