/* Ends: the work of the first and the last stage in addition to layers, which is the model's head and tail. */
#ifndef ENDS_H
#define ENDS_H

#include "row.h"

struct step_work {		/* the work of one step */
	const struct sequence *sequence;
	const struct item *items;	/* all kernels, with communication */
	size_t n;
	struct work work;
	struct layer_rows rows;
};

/* Return the first kernel of the embedding before forward ROW; SIZE_MAX: none. STAGE: -1 if unknown. */
size_t head_start(const struct step_work *, size_t row, int stage);
/* Return the latest possible end of the embedding's backward, which begins at the end of backward ROW. */
size_t head_limit(const struct step_work *, size_t row);

struct tail {			/* kernels [from, to) next to a row; its forward ends at SPLIT */
	size_t from, split, to;
};
/*
 * Find the kernels of the model's tail between forward ROW and the backward after it. If a transfer separates the two,
 * find the tail before backward ROW. LAST: 1 for the last stage, 0 for another, -1: unknown. Return false if no tail
 * exists.
 */
bool tail_of(const struct step_work *, size_t row, int last, struct tail *);

/*
 * Return the number of micro-batches per step, from the model's ends, which each micro-batch passes once; 0 if none
 * exist. STAGE, of STAGES stages: -1 if unknown.
 */
int micro_by_ends(const struct step_work *, int stage, int stages);
/*
 * Return the number of micro-batches per step, from the number of forwards before the first backward. On stage s of p
 * it is p - s in 1F1B, and 2 (p - s - 1) + (v - 1) p + 1 with v chunks. Return 0 if neither applies.
 */
int micro_by_warm_up(const struct layer_rows *, int stage, int stages);

#endif
