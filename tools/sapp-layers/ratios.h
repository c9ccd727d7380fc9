/* Create layers of a network from a few ratios of their times. */
#ifndef RATIOS_H
#define RATIOS_H

#include <stdio.h>

#include "lib/record/architecture.h"

/* All relative to the forward of a mixture-of-experts layer, or of a layer in networks without experts. */
struct ratios {
	double forward;		/* ms of that forward */
	double dense;		/* forward of a dense layer; below 0: 0.33 next to mixtures, else 1 */
	double backward;	/* backward of a layer / its forward */
	double recompute;	/* increase by full recomputation / its forward */
	double select;		/* increase by selective recomputation / its forward; below 0: none */
	double head;		/* head, loss and multi-token prediction, forward plus backward */
};

/*
 * Parse "dense=0.33,backward=2,head=1.5,recompute=1,forward=12.4"; missing ratios have defaults. Exits on unknown
 * names.
 */
struct ratios ratios_read(const char *text);

/* Write a model record and its layers: embedding, runs of equal layers named as by sapp-est, and the end. */
void ratios_write(FILE *, const struct ratios *, const struct architecture *, const char *name);

#endif
