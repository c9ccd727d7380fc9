/* Repeat: the kernels of a layer's forward that its backward recomputes, all or some of them. */
#ifndef REPEAT_H
#define REPEAT_H

#include "row.h"

struct repeat {
	size_t n;
	uint32_t *symbol;	/* [n], kernels of a layer's forward */
	bool *sure;		/* [types], whether forwards have the kernel and backwards do not */
};

/* Set up with the forward layer of the rows. */
void repeat_init(struct repeat *, const struct work *, const struct layer_rows *, const struct sequence *);
/* Find the first kernels [*first, *last) in [from, to) that repeat the layer's forward. Return false if none exist. */
bool repeat_next(const struct repeat *, const struct work *, size_t from, size_t to, size_t *first, size_t *last);
void repeat_free(struct repeat *);

#endif
