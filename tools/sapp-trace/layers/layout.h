/* Layout: the division of a sequence into layers, ends of the model, and kernels outside the pipeline. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/record/layer.h"
#include "lib/record/measurement.h"
#include "single.h"
#include "wait.h"

struct piece {			/* work on a layer, or on an end of the model, for one micro-batch */
	enum layer_type part;
	int class;		/* index of its class; -1: none */
	enum timing_phase phase;
	int layer;		/* number of the layer in the stage, from 0; only of a BODY layer */
	int step;
	int64_t start;		/* ns */
	double wall, busy;	/* ns: until the next piece's first kernel; while kernels run */
	double idle;		/* ns of wall while no kernel or collective runs */
	int kernels;
};

struct layout {
	size_t n;
	struct piece *at;
	int steps;		/* number of steps with the pattern, numbered as in the sequence */
	bool *good;		/* [sequence->steps], whether the step has the pattern */
	int layers, micro;	/* number of layers of the stage, and of micro-batches of a step */
	bool micro_sure;	/* false: every row of layers counts as one micro-batch */
	bool single;		/* rows have one layer without visible borders */
	uint64_t *signature;	/* [layers], hash of the types of kernels that the layer runs on every micro-batch */
	int nkept;
	struct layer_types { size_t n; uint32_t *at; } *kept;	/* [nkept], these types, ascending */
	int choice;		/* 1 + enum anchor_choice of the first step with the pattern; 0: none */
	bool unclear;		/* whether layers exist but cannot be separated */
	struct layer_model model;	/* kernels around a layer, to be used for other files */
	size_t period[2];	/* number of kernels per layer, forward and backward */
	char *anchor;		/* names of the kernels that identify layers */
	bool parts;		/* whether layers contain transfers, which do not belong to the pipeline */
	size_t recomputed;	/* maximum number of a layer's kernels that are recomputed in a backward */
	struct waits waits;	/* collectives within pieces; their owners are pieces */
	int64_t *begin, *end;	/* [steps], ns, of the step's pipeline; 0 if the step is not good */
};

struct layout_hints {
	const char *anchor;	/* value of -anchor, or NULL */
	int micro;		/* micro-batches per step, as given; 0: unknown */
	int job_micro;		/* micro-batches per step, from other stages; 0: unknown */
	const struct layer_model *model;	/* kernels around a layer in other stages; NULL: none */
	int stage, stages;	/* index of the stage, number of stages; -1: unknown */
	int nlayers;		/* number of possible numbers of layers of the stage; 0: unknown */
	const int *layers;	/* [nlayers], possible numbers of layers */
	const char *said;	/* source file of these numbers */
};

/* Find the layout. Return false if the pattern does not hold, with a description in *WHY (caller frees). */
bool layout_find(struct layout *, const struct sequence *, const struct layout_hints *, char **why);
void layout_free(struct layout *);

#endif
