/* Picks: candidates for a Pareto front, from which dominated picks are dropped. */
#ifndef PICKS_H
#define PICKS_H

#include <stdbool.h>

struct pick {			/* a candidate mix, the sum of two mixes */
	double activation, backward;
	double gradient, link, kept;	/* ms, ms, and MB: see struct mix */
	int a, b;		/* indices of the two mixes */
	int source;		/* index of the source in the caller */
};

struct picks {
	int n, room;
	struct pick *at;
	int sources;		/* index of the source of picks being added */
	bool waits;		/* backwards may wait for the link */
};

enum { PICKS_LIGHT = 64 };	/* maximum number of picks that are not dominated in activation and memory kept for W */

void picks_add(struct picks *, struct pick);
/*
 * Select some of N picks, spread over the picks that no other dominates in activation and memory kept for W. Get their
 * indices in LIGHT[PICKS_LIGHT], least activation first. Return their number. If memory kept for W is equal in all
 * picks, select any one.
 */
int picks_light(int n, const struct pick *, int *light);
/*
 * Keep the picks that are not dominated, fastest first, thinned to at most MOST. Return whether thinning dropped some.
 */
bool picks_prune(struct picks *, int most);

#endif
