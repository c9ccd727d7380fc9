/* Count: the number of layers in the rows of a step. */
#ifndef COUNT_H
#define COUNT_H

#include "row.h"

/* Layers and rows by phase. */
struct count {
	size_t layers[2], rows[2];
	bool even;		/* all rows of a phase have equal numbers */
	size_t longest;		/* layers of a row */
};

struct count count_of(const struct layer_rows *);
/*
 * If anchors were found, not named: the first layer computes no input gradient, so its backward differs. Move it to the
 * head.
 */
void count_drop_first(struct layer_rows *, struct count *);
/* Return a description; caller frees. */
char *count_text(const struct count *, const struct layer_rows *, const struct sequence *);

#endif
