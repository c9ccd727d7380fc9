/* Ends: what the first and the last stage do besides layers: the model's head, and its tail. */
#ifndef ENDS_H
#define ENDS_H

#include "row.h"

struct step_work {		/* of one step */
	const struct sequence *sequence;
	const struct item *items;	/* communication among them */
	size_t n;
	struct work work;
	struct rows rows;
};

/* The first kernel of the embedding in front of forward ROW; SIZE_MAX: there is none. STAGE -1: not known. */
size_t head_start(const struct step_work *, size_t row, int stage);
/* Backward of the embedding behind backward ROW: from the row's end up to there, at most. */
size_t head_limit(const struct step_work *, size_t row);

struct tail {			/* kernels [from, to) beside a row; those of the forward end at SPLIT */
	size_t from, split, to;
};
/*
 * What the last stage does behind forward ROW, and in front of the backward right behind it, or before backward ROW
 * where a transfer stands between the two. LAST: 1 it is the last stage, 0 it is not, -1 not known. False: no tail.
 */
bool tail_of(const struct step_work *, size_t row, int last, struct tail *);

/*
 * Micro-batches of the step by the model's ends, which each of them passes once; 0: neither is there. STAGE of STAGES,
 * -1: not known.
 */
int micro_by_ends(const struct step_work *, int stage, int stages);
/*
 * By the forwards that run before the first backward: on stage s of p as many as p - s in 1F1B, and 2 (p - s - 1) +
 * (v - 1) p + 1 with v chunks. 0: neither.
 */
int micro_by_warm_up(const struct rows *, int stage, int stages);

#endif
