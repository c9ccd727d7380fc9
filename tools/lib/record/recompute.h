/* Kinds of recomputation: what is kept of a layer's activations, and what that costs in backward time. */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H

enum recompute {
	RECOMPUTE_NONE,		/* everything is kept */
	RECOMPUTE_SELECT,	/* selected operations run again */
	RECOMPUTE_COMM,		/* communication is repeated */
	RECOMPUTE_BOTH,		/* select and comm */
	RECOMPUTE_FULL,		/* only the layer's input is kept */
	RECOMPUTE_KINDS
};

/* "none", "select", ...; ended by NULL. */
extern const char *const recompute_names[RECOMPUTE_KINDS + 1];
/* Extra backward time of a kind over the plain backward, where a layer does not say: 0, .04, .125, .165, .5. */
extern const double recompute_default_coef[RECOMPUTE_KINDS];
/* The share of the forward that a kind runs again, where a layer does not say: 0, .08, .25, .33, 1. */
extern const double recompute_default_share[RECOMPUTE_KINDS];

#endif
