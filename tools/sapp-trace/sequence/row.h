/*
 * Rows: layers that ran one after the other, found by what repeats. An anchor is a kind of kernel that runs once
 * in the forward of a layer, or once in its backward.
 */
#ifndef ROW_H
#define ROW_H

#include "work.h"

struct row {
	bool backward;
	size_t layers;
	size_t *start;		/* [layers]: kernels, as numbers in the work */
	size_t end;
	size_t anchor;		/* of the first layer */
};

struct layer_shape {			/* of a layer around its anchor */
	size_t period, before, behind;	/* kernels: of all of it, in front of the anchor and behind it */
	size_t model;		/* an anchor that has a whole layer on either side */
};

struct rows {
	size_t n;
	struct row *at;	/* in the order of time */
	struct layer_shape shape[2];	/* forward and backward; period: the most common number, 0: nothing repeats */
	uint32_t anchor[2];	/* types */
	size_t found[2];	/* anchors */
	bool named;		/* the anchor is an attention, or given: it runs once in every layer */
	bool parts;		/* attentions are in parts, with transfers within layers */
	bool single;		/* rows of one layer: they are just their anchors until single_rows() */
};

/*
 * ANCHOR: what -anchor says, or NULL. Rows of a step; none where nothing repeats. Transfers within layers are taken out
 * of the work's.
 */
void rows_find(struct rows *, struct work *, const struct sequence *, const char *anchor);
void rows_free(struct rows *);

#endif
