/* Layout: the division of a sequence into layers, ends of the model, and kernels outside the pipeline. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/record/layer.h"
#include "lib/record/measurement.h"
#include "single.h"
#include "wait.h"

struct piece {			/* work on one layer, or an end of the model, for one micro-batch */
	enum layer_type part;
	int class;		/* among the classes; -1: none */
	enum timing_phase phase;
	int layer;		/* in the stage, from 0; bodies only */
	int step;
	int64_t start;		/* ns */
	double wall, busy;	/* ns: to the next piece's first kernel; with kernels running */
	double idle;		/* ns of wall without kernels or collectives */
	int kernels;
};

struct layout {
	size_t n;
	struct piece *at;
	int steps;		/* with the pattern; numbered as in the sequence */
	bool *good;		/* [sequence->steps] */
	int layers, micro;	/* of the stage, of a step */
	bool micro_sure;	/* else every row of layers counts as one */
	bool single;		/* rows have one layer without visible borders */
	uint64_t *signature;	/* [layers]: of the types of kernels of each on every micro-batch */
	int nkept;
	struct layer_types { size_t n; uint32_t *at; } *kept;	/* [nkept]: these types, ascending */
	int choice;		/* enum anchor_choice of the first step with the pattern, + 1; 0: none */
	bool unclear;		/* layers exist but cannot be separated */
	struct layer_model model;	/* kernels around a layer, for other files */
	size_t period[2];	/* kernels per layer, forward and backward */
	char *anchor;		/* names of the kernels that identify layers */
	bool parts;		/* transfers within layers do not belong to the pipeline */
	size_t recomputed;	/* maximum number of its kernels recomputed in a backward */
	struct waits waits;	/* collectives within pieces, owned by them */
	int64_t *begin, *end;	/* [steps]: of the pipeline, ns; 0 for steps that are not good */
};

struct layout_hints {
	const char *anchor;	/* -anchor, or NULL */
	int micro;		/* given micro-batches per step; 0: unknown */
	int job_micro;		/* from other stages; 0: none */
	const struct layer_model *model;	/* kernels around a layer in other stages; NULL: none */
	int stage, stages;	/* -1: unknown */
	int nlayers;		/* possible numbers of layers of the stage; 0: unknown */
	const int *layers;	/* [nlayers] */
	const char *said;	/* source file of these */
};

/* Find the layout; false, with a description in *WHY (caller frees), if the pattern does not hold. */
bool layout_find(struct layout *, const struct sequence *, const struct layout_hints *, char **why);
void layout_free(struct layout *);

#endif
