/* Timing: times of each class over all files, as records. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>

#include "class.h"
#include "tally.h"

struct sample {			/* one layer in one phase, step and file; ns */
	struct tally_cell cell;	/* without waiting */
	double wait;		/* in collectives, for other ranks */
};

struct timed_layer {		/* one layer in one phase in a file */
	int layer, file;
	enum timing_phase phase;
	size_t first;		/* first of its samples */
	int n;
	double wall, busy;	/* of the median step, set by timings_settle() */
};

struct layer_time {		/* times of one layer, from the slowest file; NULL: no file has the phase */
	const struct timed_layer *wall[PHASES_TIMED], *busy[PHASES_TIMED];
};

struct spread {			/* ns, one layer in one step */
	size_t n;
	double *at;
};

struct class_time {
	int steps;		/* maximum counted in a file */
	const char *source;	/* the only file with the class; NULL: several */
	int sources;
	double activation;	/* MB per layer and micro-batch; 0: unknown */
	bool no_busy;		/* a file lacks kernel times */
	struct spread spread[PHASES_TIMED];
};

struct timings {
	const struct classes *classes;
	bool busy;		/* layer records have times with kernels */
	struct class_time *of;	/* [classes->n + MAX_BODY_KINDS] */
	struct instances layers;	/* .process is 0: a layer is the same in every file */
	struct layer_time *at;	/* [layers.n] */
	int files;
	const char **file;	/* [files] */
	size_t nmeasured, nsamples;
	struct timed_layer *measured;
	struct sample *sample;
	struct waits waits;	/* of all files */
};

/* All layers of a class in one phase; ns. */
struct sum {
	struct tally_cell step;	/* sum over layers of the mean step; events: over all steps */
	double wait;		/* waiting in collectives, in addition */
	double wall, busy;	/* sum over layers of the median step */
	int n;			/* number of layers with samples */
};

void timings_init(struct timings *, const struct classes *);
/*
 * Add a file with the tally's waits; SOURCE must outlive the timings. Return false if there is no layer in the counted
 * steps.
 */
bool timings_merge(struct timings *, const struct step_tally *, const struct instances *, struct place at,
    const char *source);
/* After the last file: separate waiting from work; the slowest rank of a stage counts. */
void timings_settle(struct timings *);
struct sum timings_sum(const struct timings *, int class, enum timing_phase);
/* Return a layer's time in the median step, ns; BUSY: its time with kernels, if known. Return 0 without a time. */
double timings_layer(const struct timings *, int layer, enum timing_phase, bool busy);
void timings_write(FILE *, const struct timings *);
/*
 * Write layer records, with times divided by MICRO micro-batches. LAYERS [BODIES]: number of layers of each body class,
 * or of the only body class seen; if BODIES does not match, use the numbers of layers seen.
 */
void timings_write_layers(FILE *, const struct timings *, int micro, int bodies, const int layers[]);
void timings_free(struct timings *);

#endif
