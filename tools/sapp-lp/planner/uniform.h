/*
 * Uniform plans: every piece is recomputed alike, which is what Megatron-LM's arguments can say.  The first N layers of
 * each piece are recomputed in full, N the same for all, or all layers selectively, or by a kind with another name that
 * stands for modules of each.  For a fixed N a piece's layers have only one mix, and the placement of layers is the
 * planner's problem; this is the search over N around it. Frameworks in which every piece has its own N are asked for
 * that once, besides each part of all layers.
 */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "planner.h"

/* Layers that pieces recompute as a whole. */
enum uniform_layers {
	UNIFORM_FIRST,		/* the first N of each, N the same for all */
	UNIFORM_ALL_OR_NONE,	/* N is 0 or all layers */
	UNIFORM_OWN,		/* every piece has its own number */
};

struct uniform_question {
	const struct shape *shape;
	const struct devices *devices;
	struct list memory;	/* MB */
	bool even;		/* every piece has as many layers */
	enum uniform_layers layers;
	bool listed;		/* of UNIFORM_OWN, as for problem_new() */
	unsigned kinds;		/* that there may be, a set of 1 << kind */
	const struct records *known;	/* answers to begin with, known.h */
	const struct pipeline *asked;	/* the question, by which they are known */
};

/*
 * The best plan over all N, and a bound on every one of them. PROBLEM becomes the one it is for, over RESTRICTED, a
 * copy of the network with its kinds of recomputation; both and its body are to be freed after the answer.
 */
struct answer uniform_solve(struct problem *, struct network **restricted, const struct network *,
    const struct uniform_question *, const struct effort *);

#endif
