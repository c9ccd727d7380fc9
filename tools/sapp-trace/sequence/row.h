/*
 * Rows: layers that ran one after the other, found by what repeats. Anchors are kinds of kernels of which one
 * runs in the forward of each layer, or in its backward.
 */
#ifndef ROW_H
#define ROW_H

#include "anchor.h"

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
	struct anchors anchors[2];
	size_t found[2];	/* anchors */
	bool named;		/* the anchor is an attention, or given: it runs once in every layer */
	bool parts;		/* attentions are in parts, with transfers within layers */
	bool single;		/* rows of one layer: they are just their anchors until single_rows() */
	bool vague;		/* layers of several kinds, of which nothing tells where they begin and end */
};

/* Ways to choose anchors, in the order in which they are tried. */
enum anchor_choice {
	ANCHORS_FINER,		/* what repeats within the layers that the others tell */
	ANCHORS_ALL,		/* attentions, and what stands in for them */
	ANCHORS_ONE,		/* the one that takes the most time */
	ANCHOR_CHOICES
};

/*
 * Rows of a step; none where nothing repeats. NAMES: what -anchor says, or NULL. Transfers within layers are taken out
 * of the work's. False: the file offers no such CHOICE, or it is the same as another.
 */
bool rows_find(struct rows *, struct work *, const struct sequence *, const char *names, enum anchor_choice choice);
void rows_free(struct rows *);

#endif
