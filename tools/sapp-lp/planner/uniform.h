/*
 * Uniform plans: all pieces recomputed alike, as Megatron-LM's arguments require. Either the first N layers of every
 * piece are fully recomputed, with one N; or all layers are recomputed selectively; or all layers use a kind that names
 * modules. For a fixed N a piece's layers have only one mix, and placing layers is the planner's problem; this searches
 * over N. For frameworks with an N per piece, one question with free N is asked, in addition to each partial kind for
 * all layers.
 */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "planner.h"

/* Full recomputation of layers in pieces. */
enum uniform_layers {
	UNIFORM_FIRST,		/* the first N layers of every piece, with one N */
	UNIFORM_ALL_OR_NONE,	/* N is 0 or all layers */
	UNIFORM_OWN,		/* a number per piece */
};

struct uniform_question {
	const struct shape *shape;
	const struct devices *devices;
	struct list memory;	/* MB */
	bool even;		/* equally many layers in every piece */
	enum uniform_layers layers;
	bool listed;		/* for UNIFORM_OWN, as in problem_new() */
	unsigned kinds;		/* allowed kinds, a set of 1 << kind */
	const struct records *known;	/* answers to start with, known.h */
	const struct pipeline *asked;	/* the question, as their key */
};

/*
 * Return the best plan over all N, with a bound for all. PROBLEM becomes its problem, over RESTRICTED, a copy of the
 * network with its kinds; the caller frees both and its body after the answer.
 */
struct answer uniform_solve(struct problem *, struct network **restricted, const struct network *,
    const struct uniform_question *, const struct effort *);

#endif
