/*
 * Kinds of recomputation: what is kept of a layer's activations, and what that costs in backward time. Five are built
 * in; others have the names that records give them, and the next free numbers.
 */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H

#include "lib/base/place.h"

enum recompute {
	RECOMPUTE_NONE,		/* everything is kept */
	RECOMPUTE_SELECT,	/* selected operations run again */
	RECOMPUTE_COMM,		/* communication is repeated */
	RECOMPUTE_BOTH,		/* select and comm */
	RECOMPUTE_FULL,		/* only the layer's input is kept */
	RECOMPUTE_BUILT_IN,	/* the first of those with other names */
	RECOMPUTE_KINDS = 12	/* at most: arrays over kinds have so many entries */
};

/* "none", "select", ..., then the others that were met; NULL from there on. */
extern const char *recompute_names[RECOMPUTE_KINDS + 1];
/* Extra backward time of a built-in kind over the plain one, where a layer does not say: 0, .04, .125, .165, .5. */
extern const double recompute_default_coef[RECOMPUTE_KINDS];
/* The share of the forward that a built-in kind runs again, where a layer does not say: 0, .08, .25, .33, 1. */
extern const double recompute_default_share[RECOMPUTE_KINDS];

/*
 * As the lists of MindFormers' YAML have them in a piece, the costlier kinds before the cheaper; those with other names
 * before none.
 */
extern const enum recompute recompute_costly_first[RECOMPUTE_KINDS];

/* The kind of that name, which is a new one if nothing was called so yet. Exits naming AT where there are too many. */
int recompute_kind(const char *name, struct place at);
/* Kinds met so far, the built-in ones included. */
int recompute_known(void);
/* Only the built-in ones are known again: for tests that read one input after another. */
void recompute_forget(void);

#endif
