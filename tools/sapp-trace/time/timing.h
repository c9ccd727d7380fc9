/* Timing: what all files together say of each class, as records. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>

#include "sapp-trace/layer/class.h"
#include "tally.h"

struct sample {			/* one layer in one phase, step and file; ns */
	struct tally_cell cell;	/* its time without the waiting */
	double wait;		/* within collectives, for other ranks */
};

struct measured {		/* one layer in one phase, in a file */
	int layer, file;
	enum timing_phase phase;
	size_t first;		/* of its samples */
	int n;
	double wall, busy;	/* of the step in the middle, by timings_settle() */
};

struct layer_time {		/* one layer, as the slowest of the files measured it; NULL: none has it */
	const struct measured *wall[PHASES_TIMED], *busy[PHASES_TIMED];
};

struct spread {			/* ns, one layer in one step */
	size_t n;
	double *at;
};

struct class_time {
	int steps;		/* the most that a file counted */
	const char *source;	/* the only file it occurs in; NULL: several */
	int sources;
	double activation;	/* MB that a layer keeps of a micro-batch; 0: not known */
	bool no_busy;		/* a file does not tell when kernels ran */
	struct spread spread[PHASES_TIMED];
};

struct timings {
	const struct classes *classes;
	bool busy;		/* layer records have the time in which kernels ran */
	struct class_time *of;	/* [classes->n + MAX_BODY_KINDS] */
	struct instances layers;	/* .process is 0: a layer is the same in every file */
	struct layer_time *at;	/* [layers.n] */
	int files;
	const char **file;	/* [files] */
	size_t nmeasured, nsamples;
	struct measured *measured;
	struct sample *sample;
	struct waits waits;	/* of all files */
};

/* Of all layers of a class in one phase; ns. */
struct sum {
	struct tally_cell step;	/* of all layers, the mean step; events: over all steps */
	double wait;		/* beside it: waiting within collectives */
	double wall, busy;	/* of all layers, the step in the middle */
	int n;			/* layers that have any */
};

void timings_init(struct timings *, const struct classes *);
/* Add one file, with the tally's waits; SOURCE must outlive the timings. False: no layer in the counted steps. */
bool timings_merge(struct timings *, const struct tally *, const struct instances *, struct place at,
    const char *source);
/* When all have been added: waiting is told from work, and of ranks of a stage the slowest counts. */
void timings_settle(struct timings *);
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
