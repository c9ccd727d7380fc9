/* Layout: what the kernels of a sequence do: layers, the ends of the model, and what lies outside of the pipeline. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/record/layer.h"
#include "lib/record/measurement.h"
#include "sapp-trace/time/wait.h"
#include "single.h"

struct piece {			/* work of one layer, or of an end of the model, on one micro-batch */
	enum layer_type part;
	int class;		/* among those that are looked for; -1: of none */
	enum timing_phase phase;
	int layer;		/* of the stage, from 0; bodies only */
	int step;
	int64_t start;		/* ns */
	double wall, busy;	/* ns: to the next piece's first kernel; of it, kernels ran */
	double idle;		/* ns of wall in which neither a kernel nor a collective ran */
	int kernels;
};

struct layout {
	size_t n;
	struct piece *at;
	int steps;		/* that have the pattern; numbers as in the sequence */
	bool *good;		/* [sequence->steps] */
	int layers, micro;	/* of the stage, of a step */
	bool micro_sure;	/* else every row of layers was taken for one */
	bool single;		/* rows have one layer, and nothing tells where it begins and ends */
	uint64_t *signature;	/* [layers]: of the types of kernels that each runs on every micro-batch */
	int nkept;
	struct layer_types { size_t n; uint32_t *at; } *kept;	/* [nkept]: these types, ascending */
	int choice;		/* enum anchor_choice of the first step with the pattern, + 1; 0: none has it */
	bool unclear;		/* there are layers, which cannot be told from one another */
	struct layer_model model;	/* what the file shows of a layer, for those that do not */
	size_t period[2];	/* kernels of a layer, forward and backward */
	char *anchor;		/* names of the kernels that tell the layers */
	bool parts;		/* transfers within layers are none of the pipeline's */
	size_t recomputed;	/* kernels of it that run again in a backward; the most */
	struct waits waits;	/* collectives within pieces, which own them */
	int64_t *begin, *end;	/* [steps]: of the pipeline, ns; 0 where a step is not good */
};

struct layout_hints {
	const char *anchor;	/* -anchor, or NULL */
	int micro;		/* micro-batches of a step, as is said; 0: it is not */
	int job_micro;		/* as other stages show; 0: none does */
	const struct layer_model *model;	/* what other stages show of a layer; NULL: none */
	int stage, stages;	/* -1: not known */
	int nlayers;		/* numbers of layers that the stage may have; 0: not known */
	const int *layers;	/* [nlayers] */
	const char *said;	/* the file that says so */
};

/* False, with what there is in *WHY (to be freed), when the pattern does not hold. */
bool layout_find(struct layout *, const struct sequence *, const struct layout_hints *, char **why);
void layout_free(struct layout *);

#endif
