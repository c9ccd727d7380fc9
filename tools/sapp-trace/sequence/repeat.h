/* Repeat: the forward of a layer that runs again within its backward, whole or in parts. */
#ifndef REPEAT_H
#define REPEAT_H

#include "row.h"

struct repeat {
	size_t n;
	uint32_t *symbol;	/* [n]: kernels of a forward layer */
	bool *sure;		/* [types]: kernels of a forward that none of a backward is like */
};

/* The forward layer is taken from the rows. */
void repeat_init(struct repeat *, const struct work *, const struct rows *, const struct sequence *);
/* The first kernels [*first, *last) in [from, to) that repeat the layer's forward; false: there are none. */
bool repeat_next(const struct repeat *, const struct work *, size_t from, size_t to, size_t *first, size_t *last);
void repeat_free(struct repeat *);

#endif
