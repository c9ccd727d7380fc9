/*
 * Kinds of recomputation: the activations of a layer that are kept, and the backward time that recomputes the rest.
 * Five kinds are built in; records name others, which get the next free numbers.
 */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H

#include "lib/base/place.h"

enum recompute {
	RECOMPUTE_NONE,		/* keep everything */
	RECOMPUTE_SELECT,	/* rerun selected operations */
	RECOMPUTE_COMM,		/* repeat communication */
	RECOMPUTE_BOTH,		/* select and comm */
	RECOMPUTE_FULL,		/* keep only the layer's input */
	RECOMPUTE_BUILT_IN,	/* number of the first kind named by a record */
	RECOMPUTE_KINDS = 12	/* maximum; size of arrays over kinds */
};

/* "none", "select", ..., then the kinds met; NULL-terminated. */
extern const char *recompute_names[RECOMPUTE_KINDS + 1];
/* Default extra backward time of a built-in kind, relative to 2 forwards: 0, .04, .125, .165, .5. */
extern const double recompute_default_coef[RECOMPUTE_KINDS];
/* Default fraction of the forward that a built-in kind reruns: 0, .08, .25, .33, 1. */
extern const double recompute_default_share[RECOMPUTE_KINDS];

/*
 * Order of kinds within a piece in the lists of a MindFormers YAML: costlier kinds first; kinds with other names before
 * none.
 */
extern const enum recompute recompute_costly_first[RECOMPUTE_KINDS];

/* Return the kind NAME, creating it if needed. Exits, naming AT, if there are more than RECOMPUTE_KINDS. */
int recompute_kind(const char *name, struct place at);
/* Return the number of kinds met, including the built-in ones. */
int recompute_known(void);
/* Forget all but the built-in kinds: for tests that read several inputs. */
void recompute_forget(void);

#endif
