/* Picks: mixes that may be in a Pareto front, of which those that no other beats are kept. */
#ifndef PICKS_H
#define PICKS_H

#include <stdbool.h>

struct pick {			/* a mix that may be in a front, the sum of two others */
	double activation, backward;
	double gradient, link, kept;	/* ms, and MB, where they matter: see struct mix */
	int a, b;		/* indices of those two */
	int source;		/* in what; the caller's */
};

struct picks {
	int n, room;
	struct pick *at;
	int sources;		/* the source of picks added now */
	/* one that is worse in time and memory may be better for the link, in a part of its backward, or for its W */
	bool parts;
};

void picks_add(struct picks *, struct pick);
/*
 * Keep the picks that no other beats, the fastest first, and thin them to MOST; true when undominated ones may be
 * missing.
 */
bool picks_prune(struct picks *, int most);

#endif
