/* Count: the number of layers in the rows of a step. */
#ifndef COUNT_H
#define COUNT_H

#include "row.h"

/* Number of layers and rows by phase, forward and backward. */
struct count {
	size_t layers[2], rows[2];
	bool even;		/* whether all rows of a phase have equally many layers */
	size_t longest;		/* number of layers of the longest row */
};

struct count count_of(const struct layer_rows *);
/*
 * Move the first layer to the model's head, if the anchors were found and not named. It computes no input gradient, so
 * its backward differs from the other layers'.
 */
void count_drop_first(struct layer_rows *, struct count *);
/* Return a description of the counts; caller frees. */
char *count_text(const struct count *, const struct layer_rows *, const struct sequence *);

#endif
