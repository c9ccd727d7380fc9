/* Timing: what all timelines together say of each class, as records. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>

#include "sapp-trace/layer/class.h"
#include "tally.h"

struct layer_time {		/* one layer, in all timelines in which it occurs */
	double time[PHASES_TIMED];	/* ns */
	double steps[PHASES_TIMED];	/* counted, over all timelines */
	double events[PHASES_TIMED];
};

struct spread {			/* ns, one layer in one step */
	size_t n, room;
	double *at;
};

struct class_time {
	int steps;		/* the most that a timeline counted */
	const char *source;	/* the only timeline it occurs in; NULL: several */
	int sources;
	struct spread spread[PHASES_TIMED];
};

struct timings {
	const struct classes *classes;
	struct class_time *of;	/* [classes->n] */
	struct instances layers;	/* .process is 0: a layer is the same in every timeline */
	size_t room;
	struct layer_time *at;	/* [layers.n] */
};

void timings_init(struct timings *, const struct classes *);
/* Add one timeline; SOURCE must outlive the timings. False: no layer in the counted steps. */
bool timings_merge(struct timings *, const struct tally *, const struct instances *, const struct scan *,
    const char *source);
/* Exit if there is no body layer; warn of what looks wrong. Call before the first output. */
void timings_check(const struct timings *);
void timings_write(FILE *, const struct timings *);
/*
 * Layer records, times divided by MICRO micro-batches. LAYERS [BODIES]: how many layers each class of body layers has,
 * or the only one that was seen; where BODIES does not fit them, those that were seen.
 */
void timings_write_layers(FILE *, const struct timings *, int micro, int bodies, const int layers[]);
void timings_free(struct timings *);

#endif
