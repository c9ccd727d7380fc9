/*
 * Rows: consecutive layers, found by repetition. Anchors are types of kernels that run once in the forward, or
 * backward, of each layer.
 */
#ifndef ROW_H
#define ROW_H

#include "anchor.h"

struct layer_row {
	bool backward;
	size_t layers;
	size_t *start;		/* [layers]: first kernels, by number in the work */
	size_t end;
	size_t anchor;		/* of the first layer */
};

struct layer_shape {			/* of a layer around its anchor */
	size_t period, before, behind;	/* number of kernels: total, before and after the anchor */
	size_t model;		/* an anchor with a whole layer on both sides */
};

struct layer_rows {
	size_t n;
	struct layer_row *at;	/* in order of time */
	struct layer_shape shape[2];	/* forward and backward; period: most common number, 0: no repetition */
	struct anchors anchors[2];
	size_t found[2];	/* number of anchors */
	bool named;		/* the anchor is an attention, or given: once per layer */
	bool parts;		/* attentions are in parts, with transfers within layers */
	bool single;		/* rows of one layer: only anchors until single_rows() */
	bool vague;		/* layers of several kinds without visible borders */
};

/* Ways to choose anchors, in order of trial. */
enum anchor_choice {
	ANCHORS_FINER,		/* a type that repeats within the layers of the other choices */
	ANCHORS_ALL,		/* attentions and their substitutes */
	ANCHORS_ONE,		/* the one with most time */
	ANCHOR_CHOICES
};

/*
 * Find the rows of a step; none without repetition. NAMES: -anchor, or NULL. Removes transfers within layers from the
 * work. Return false if the file has no such CHOICE, or it equals another.
 */
bool rows_find(struct layer_rows *, struct work *, const struct sequence *, const char *names,
    enum anchor_choice choice);
void rows_free(struct layer_rows *);

#endif
