/*
 * Uniform plans: all pieces are recomputed alike, as Megatron-LM's arguments require. Recomputation has one of three
 * forms. The first N layers of every piece may be fully recomputed, with one N for all pieces. Or all layers may be
 * recomputed selectively. Or all layers may use a kind that names modules. For a fixed N, each content has only one
 * mix, and the planner places the layers. This file searches over N. Some frameworks allow an N per piece. For them one
 * question with free N is asked, in addition to a question for each partial kind in all layers.
 */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "planner.h"

/* Which layers of a piece are fully recomputed. */
enum uniform_layers {
	UNIFORM_FIRST,		/* the first N layers of every piece, with one N for all */
	UNIFORM_ALL_OR_NONE,	/* all layers, or none */
	UNIFORM_OWN,		/* the first layers of every piece, with a separate number for each piece */
};

struct uniform_question {
	const struct shape *shape;
	const struct devices *devices;
	struct list memory;	/* MB, limits as in problem_new() */
	bool even;		/* whether every piece must have equally many layers */
	enum uniform_layers layers;
	bool listed;		/* with UNIFORM_OWN: see problem_new() */
	unsigned kinds;		/* allowed kinds, a set of 1 << kind */
	const struct records *known;	/* answers to start with: see known.h */
	const struct pipeline *asked;	/* the question as asked, by which known answers are found */
};

/*
 * Return the best plan over all N, with a bound that holds for all N. PROBLEM becomes the problem of this plan. It
 * refers to RESTRICTED, a copy of the network with the kinds of this plan. After using the answer, the caller frees the
 * problem, RESTRICTED and its body.
 */
struct answer uniform_solve(struct problem *, struct network **restricted, const struct network *,
    const struct uniform_question *, const struct effort *);

#endif
