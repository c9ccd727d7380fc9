/* Repeat: a layer's forward recomputed within its backward, wholly or partly. */
#ifndef REPEAT_H
#define REPEAT_H

#include "row.h"

struct repeat {
	size_t n;
	uint32_t *symbol;	/* [n]: kernels of a forward layer */
	bool *sure;		/* [types]: kernels of a forward unlike any of a backward */
};

/* Takes the forward layer from the rows. */
void repeat_init(struct repeat *, const struct work *, const struct layer_rows *, const struct sequence *);
/* Find the first kernels [*first, *last) in [from, to) that repeat the layer's forward. Return false if none exists. */
bool repeat_next(const struct repeat *, const struct work *, size_t from, size_t to, size_t *first, size_t *last);
void repeat_free(struct repeat *);

#endif
