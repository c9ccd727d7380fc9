/*
 * Single: rows of one layer, without repetition. A layer ends where the stage sends or receives; next to the model's
 * own ends its extent comes from other rows or stages.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "row.h"

struct edge {			/* of a layer, from its anchor */
	bool known;
	size_t n;		/* kernels between the anchor and there */
	uint64_t *kernel;	/* [n]: hashes of their names, from the anchor on */
};

enum { BEFORE, BEHIND };

struct layer_model {
	uint64_t anchor[2];	/* forward and backward: hash of the name; 0: unknown */
	struct edge edge[2][2];	/* [phase][BEFORE or BEHIND] */
};

/* Learn a layer's edges from rows of several layers. */
void layer_model_of(struct layer_model *, const struct layer_rows *, const struct work *, const struct sequence *);
/* Add what FROM knows in addition. */
void layer_model_add(struct layer_model *, const struct layer_model *from);
void layer_model_free(struct layer_model *);

/*
 * Make layers of single rows; STAGE of STAGES, -1: unknown. OTHERS: edges from other files; OWN: initially empty, set
 * to this file's. False, with *WHY (caller frees): begin or end of a layer is unknown.
 */
bool single_rows(struct layer_rows *, const struct work *, const struct sequence *, int stage, int stages,
    const struct layer_model *others, struct layer_model *own, char **why);

#endif
