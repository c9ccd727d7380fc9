/* Ends: work of first and last stage other than layers: the model's head and tail. */
#ifndef ENDS_H
#define ENDS_H

#include "row.h"

struct step_work {		/* of one step */
	const struct sequence *sequence;
	const struct item *items;	/* including communication */
	size_t n;
	struct work work;
	struct layer_rows rows;
};

/* Return the first kernel of the embedding before forward ROW; SIZE_MAX if none exists. STAGE -1: unknown. */
size_t head_start(const struct step_work *, size_t row, int stage);
/* Return the latest end of the embedding's backward after backward ROW, which begins at the row's end. */
size_t head_limit(const struct step_work *, size_t row);

struct tail {			/* kernels [from, to) next to a row; the forward's end at SPLIT */
	size_t from, split, to;
};
/*
 * Find the last stage's kernels after forward ROW and before the backward after it, or before backward ROW if a
 * transfer separates the two. LAST: 1: last stage, 0: not, -1: unknown. Return false if no tail exists.
 */
bool tail_of(const struct step_work *, size_t row, int last, struct tail *);

/*
 * Return the micro-batches per step from the model's ends, which each micro-batch passes once; 0 without ends. STAGE of
 * STAGES, -1: unknown.
 */
int micro_by_ends(const struct step_work *, int stage, int stages);
/*
 * Return the micro-batches per step from the forwards before the first backward: on stage s of p there are p - s in
 * 1F1B, and 2 (p - s - 1) + (v - 1) p + 1 with v chunks. 0: neither.
 */
int micro_by_warm_up(const struct layer_rows *, int stage, int stages);

#endif
