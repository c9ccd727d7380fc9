/*
 * Kinds of recomputation. A kind determines which activations of a layer are kept, and how long the backward takes to
 * recompute the rest. Five kinds are built in. Records can name more kinds, which get the next free numbers.
 */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H

#include "lib/base/place.h"

enum recompute {
	RECOMPUTE_NONE,		/* keep everything */
	RECOMPUTE_SELECT,	/* rerun selected operators */
	RECOMPUTE_COMM,		/* repeat communication */
	RECOMPUTE_BOTH,		/* both select and comm */
	RECOMPUTE_FULL,		/* keep only the layer's input */
	RECOMPUTE_BUILT_IN,	/* number of built-in kinds; the first kind named by a record has this number */
	RECOMPUTE_KINDS = 12	/* maximum number of kinds */
};

/* "none", "select", ..., then the names that records added; NULL-terminated. */
extern const char *recompute_names[RECOMPUTE_KINDS + 1];
/* Default increase of the backward by a built-in kind, relative to 2 forwards: 0, .04, .125, .165, .5. */
extern const double recompute_default_coef[RECOMPUTE_KINDS];
/* Default fraction of the forward that a built-in kind runs again: 0, .08, .25, .33, 1. */
extern const double recompute_default_share[RECOMPUTE_KINDS];

/*
 * Order in which the lists of a MindFormers YAML recompute the layers of a piece: costlier kinds first. Kinds with
 * other names come right before none.
 */
extern const enum recompute recompute_costly_first[RECOMPUTE_KINDS];

/* Return the number of the kind NAME; create the kind if needed. Exit, naming AT, if RECOMPUTE_KINDS exist. */
int recompute_kind(const char *name, struct place at);
/* Return the number of kinds, including the built-in ones. */
int recompute_known(void);
/* Forget all kinds but the built-in ones. For tests that read several inputs. */
void recompute_forget(void);

#endif
