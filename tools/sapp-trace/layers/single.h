/*
 * Single: rows of one layer, in which nothing repeats. A layer ends where the stage sends or receives. Next to the
 * model's ends, its extent is known only from other rows or stages.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "row.h"

struct edge {			/* the kernels on one side of a layer's anchor */
	bool known;
	size_t n;		/* number of kernels between the anchor and the layer's begin or end */
	uint64_t *kernel;	/* [n], hashes of the kernels' names, from the anchor outwards */
};

enum { BEFORE, BEHIND };

struct layer_model {
	uint64_t anchor[2];	/* forward and backward: hash of the anchor's name; 0: unknown */
	struct edge edge[2][2];	/* [phase][BEFORE or BEHIND] */
};

/* Get the edges of a layer from rows with several layers. */
void layer_model_of(struct layer_model *, const struct layer_rows *, const struct work *, const struct sequence *);
/* Add the edges that only FROM has. */
void layer_model_add(struct layer_model *, const struct layer_model *from);
void layer_model_free(struct layer_model *);

/*
 * Divide single rows into layers. STAGE, of STAGES stages: -1 if unknown. OTHERS: edges from other files; OWN: empty
 * before, then the edges of this file. Return false if the begin or end of a layer is unknown, with a description in
 * *WHY (caller frees).
 */
bool single_rows(struct layer_rows *, const struct work *, const struct sequence *, int stage, int stages,
    const struct layer_model *others, struct layer_model *own, char **why);

#endif
