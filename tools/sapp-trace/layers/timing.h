/* Timing: the times of each class over all files, as records. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>

#include "class.h"
#include "tally.h"

struct sample {			/* a layer in one phase, step and file, ns */
	struct tally_cell cell;	/* times without waiting */
	double wait;		/* ns waiting in collectives for other ranks */
};

struct timed_layer {		/* a layer in one phase and file */
	int layer, file;
	enum timing_phase phase;
	size_t first;		/* index of the first of its samples */
	int n;
	double wall, busy;	/* ns in the median step, set by timings_settle() */
};

struct layer_time {		/* times of a layer, from the slowest file; NULL: no file has the phase */
	const struct timed_layer *wall[PHASES_TIMED], *busy[PHASES_TIMED];
};

struct spread {			/* spread of a layer's times over steps, ns */
	size_t n;
	double *at;
};

struct class_time {
	int steps;		/* maximum number of steps counted in a file */
	const char *source;	/* the only file with the class; NULL: several files */
	int sources;
	double activation;	/* MB per layer and micro-batch; 0: unknown */
	bool no_busy;		/* whether a file lacks times with kernels */
	struct spread spread[PHASES_TIMED];
};

struct timings {
	const struct classes *classes;
	bool busy;		/* whether layer records have the time with kernels */
	struct class_time *of;	/* [classes->n + MAX_BODY_KINDS] */
	struct instances layers;	/* process is 0, because a layer is the same in every file */
	struct layer_time *at;	/* [layers.n], times by layer */
	int files;
	const char **file;	/* [files] */
	size_t nmeasured, nsamples;
	struct timed_layer *measured;
	struct sample *sample;
	struct waits waits;	/* waits in all files */
};

/* Times of all layers of a class in one phase, ns. */
struct sum {
	struct tally_cell step;	/* sum over layers of the mean step; events: number over all steps */
	double wait;		/* waiting in collectives, in addition */
	double wall, busy;	/* sum over layers of the median step */
	int n;			/* number of layers with samples */
};

void timings_init(struct timings *, const struct classes *);
/*
 * Add the times of a file and its waits. SOURCE must outlive the timings. Return false if no layer is in the counted
 * steps.
 */
bool timings_merge(struct timings *, const struct step_tally *, const struct instances *, struct place at,
    const char *source);
/* Finish after the last file: separate waiting from work. The slowest rank of a stage counts. */
void timings_settle(struct timings *);
struct sum timings_sum(const struct timings *, int class, enum timing_phase);
/* Return a layer's time in the median step, ns; 0 if it has none. BUSY: return its time with kernels, if known. */
double timings_layer(const struct timings *, int layer, enum timing_phase, bool busy);
void timings_write(FILE *, const struct timings *);
/*
 * Write layer records, with times divided by MICRO micro-batches. LAYERS [BODIES]: number of layers of each BODY class,
 * or of the only BODY class found. If BODIES does not match the classes, the numbers of layers found are used.
 */
void timings_write_layers(FILE *, const struct timings *, int micro, int bodies, const int layers[]);
void timings_free(struct timings *);

#endif
