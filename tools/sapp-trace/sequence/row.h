/*
 * Rows: layers that ran one after the other, found by what repeats. An anchor is a kind of kernel that runs once
 * in the forward of a layer, or once in its backward.
 */
#ifndef ROW_H
#define ROW_H

#include "sequence.h"

struct work {			/* the computing kernels of one step, without communication */
	size_t n;
	const struct item **at;
	size_t ntransfers;
	size_t *transfer;	/* [ntransfers]: how many kernels had begun before it */
};

struct row {
	bool backward;
	size_t layers;
	size_t *start;		/* [layers]: kernels, as numbers in the work */
	size_t end;
};

struct rows {
	size_t n;
	struct row *at;	/* in the order of time */
	size_t period[2];	/* kernels of a layer, forward and backward; the most common number */
	uint32_t anchor[2];	/* types */
	size_t found[2];	/* anchors */
	bool named;		/* the anchor is an attention, or given: it runs once in every layer */
};

#define NO_ANCHOR UINT32_MAX

void work_of(struct work *, const struct item *items, size_t n, const struct sequence *);
void work_free(struct work *);
/* ANCHOR: what -anchor says, or NULL. Rows of a step; none where nothing repeats. */
void rows_find(struct rows *, const struct work *, const struct sequence *, const char *anchor);
void rows_free(struct rows *);

#endif
