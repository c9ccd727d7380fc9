/* Timing: what all files together say of each class, as records. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>

#include "sapp-trace/layer/class.h"
#include "tally.h"

struct layer_time {		/* one layer, in all files in which it occurs; ns, by phase */
	struct tally_cell sum[PHASES_TIMED];	/* over the counted steps */
	double steps[PHASES_TIMED];	/* counted, over all files */
	double wall[PHASES_TIMED], busy[PHASES_TIMED];	/* of the step in the middle, over all files */
	int files[PHASES_TIMED];
};

struct spread {			/* ns, one layer in one step */
	size_t n;
	double *at;
};

struct class_time {
	int steps;		/* the most that a file counted */
	const char *source;	/* the only file it occurs in; NULL: several */
	int sources;
	bool no_busy;		/* a file does not tell when kernels ran */
	struct spread spread[PHASES_TIMED];
};

struct timings {
	const struct classes *classes;
	bool busy;		/* layer records have the time in which kernels ran */
	struct class_time *of;	/* [classes->n] */
	struct instances layers;	/* .process is 0: a layer is the same in every file */
	struct layer_time *at;	/* [layers.n] */
	double activation;	/* MB that a body layer keeps of a micro-batch; 0: not known */
};

/* Of all layers of a class in one phase; ns. */
struct sum {
	struct tally_cell step;	/* of all layers, the mean step; events: over all steps */
	double wall, busy;	/* of all layers, the step in the middle */
	int n;			/* layers that have any */
};

void timings_init(struct timings *, const struct classes *);
/* Add one file; SOURCE must outlive the timings. False: no layer in the counted steps. */
bool timings_merge(struct timings *, const struct tally *, const struct instances *, struct place at,
    const char *source);
struct sum timings_sum(const struct timings *, int class, enum timing_phase);
/* One layer in the step in the middle, ns, or what of it kernels ran where that is known; 0: none. */
double timings_layer(const struct timings *, int layer, enum timing_phase, bool busy);
void timings_write(FILE *, const struct timings *);
/*
 * Layer records, times divided by MICRO micro-batches. LAYERS [BODIES]: how many layers each class of body layers has,
 * or the only one that was seen; where BODIES does not fit them, those that were seen.
 */
void timings_write_layers(FILE *, const struct timings *, int micro, int bodies, const int layers[]);
void timings_free(struct timings *);

#endif
