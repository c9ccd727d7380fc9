/*
 * Single: rows of one layer, within which nothing repeats. A layer ends where the stage sends or receives; where the
 * model's own ends are in the same row, it is what other rows, or other stages, show that it is.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "row.h"

struct edge {			/* of a layer, seen from its anchor */
	bool known;
	size_t n;		/* kernels between the anchor and there */
	uint64_t *kernel;	/* [n]: hashes of their names, from the anchor on */
};

enum { BEFORE, BEHIND };

struct layer_model {
	uint64_t anchor[2];	/* forward and backward: hash of the name; 0: nothing is known */
	struct edge edge[2][2];	/* [phase][BEFORE or BEHIND] */
};

/* What rows of several layers say of one. */
void layer_model_of(struct layer_model *, const struct rows *, const struct work *, const struct sequence *);
/* Add what FROM knows and the first does not. */
void layer_model_add(struct layer_model *, const struct layer_model *from);
void layer_model_free(struct layer_model *);

/*
 * Make layers of single rows; STAGE of STAGES, -1: not known. OTHERS is what other files know of a layer; OWN, which is
 * empty, becomes what this one does. False, with what is missing in *WHY (to be freed): where a layer begins or ends is
 * not told.
 */
bool single_rows(struct rows *, const struct work *, const struct sequence *, int stage, int stages,
    const struct layer_model *others, struct layer_model *own, char **why);

#endif
