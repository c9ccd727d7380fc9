/* Picks: mixes that may be in a Pareto front, of which those that no other beats are kept. */
#ifndef PICKS_H
#define PICKS_H

#include <stdbool.h>

struct pick {			/* a mix that may be in a front, the sum of two others */
	double activation, backward;
	double gradient, link, kept;	/* ms, and MB: see struct mix */
	int a, b;		/* indices of those two */
	int source;		/* in what; the caller's */
};

struct picks {
	int n, room;
	struct pick *at;
	int sources;		/* the source of picks added now */
	bool waits;		/* backwards may wait for the link */
};

enum { PICKS_LIGHT = 64 };	/* at most, of those that no other beats in both activation and what waits for W */

void picks_add(struct picks *, struct pick);
/*
 * Some of N that no other beats in both, spread over them: LIGHT[PICKS_LIGHT] gets their indices, the least activation
 * first; returns how many. 1, any, where what waits for W is the same in all.
 */
int picks_light(int n, const struct pick *, int *light);
/*
 * Keep the picks that no other beats, the fastest first, and thin them to MOST; true when undominated ones may be
 * missing.
 */
bool picks_prune(struct picks *, int most);

#endif
