/*
 * Rows: runs of consecutive layers, found by repetition. Anchors are types of kernels that run once in the forward, or
 * once in the backward, of each layer.
 */
#ifndef ROW_H
#define ROW_H

#include "anchor.h"

struct layer_row {
	bool backward;
	size_t layers;
	size_t *start;		/* [layers], index of each layer's first kernel in the work */
	size_t end;
	size_t anchor;		/* anchor of the first layer */
};

struct layer_shape {			/* the kernels of a layer around its anchor */
	size_t period, before, behind;	/* number of kernels: of the layer, before its anchor, after its anchor */
	size_t model;		/* an anchor that has a whole layer on both sides */
};

struct layer_rows {
	size_t n;
	struct layer_row *at;	/* in order of time */
	struct layer_shape shape[2];	/* forward and backward; period: the most common number, 0: nothing repeats */
	struct anchors anchors[2];
	size_t found[2];	/* number of anchors */
	/* whether the anchor is an attention or was given by the user, so it is once per layer */
	bool named;
	bool parts;		/* whether attentions are in parts, with transfers within layers */
	bool single;		/* whether rows have one layer; they have only anchors until single_rows() */
	bool vague;		/* whether layers are of several kinds without visible borders */
};

/* Ways to choose anchors, in the order in which they are tried. */
enum anchor_choice {
	ANCHORS_FINER,		/* a type that repeats within the layers of the other choices */
	ANCHORS_ALL,		/* attentions, and the kernels that replace them */
	ANCHORS_ONE,		/* the type with the most time */
	ANCHOR_CHOICES
};

/*
 * Find the rows of a step. A step in which no kernels repeat has no rows. NAMES: value of -anchor, or NULL. Removes
 * transfers within layers from the work. Return false if the file has no anchors of this CHOICE, or if its anchors
 * equal those of another choice.
 */
bool rows_find(struct layer_rows *, struct work *, const struct sequence *, const char *names,
    enum anchor_choice choice);
void rows_free(struct layer_rows *);

#endif
