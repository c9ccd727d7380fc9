/* Picks: candidates for a Pareto front, of which dominated ones are dropped. */
#ifndef PICKS_H
#define PICKS_H

#include <stdbool.h>

struct pick {			/* a candidate mix, the sum of two mixes */
	double activation, backward;
	double gradient, link, kept;	/* ms, and MB: see struct mix */
	int a, b;		/* indices of the two */
	int source;		/* number of the caller's source */
};

struct picks {
	int n, room;
	struct pick *at;
	int sources;		/* source of picks being added */
	bool waits;		/* backwards may wait for the link */
};

enum { PICKS_LIGHT = 64 };	/* maximum number not dominated in activation and memory kept for W */

void picks_add(struct picks *, struct pick);
/*
 * Select picks of N, spread over those not dominated in both figures. Get their indices in LIGHT[PICKS_LIGHT], least
 * activation first, and return their number: 1, any pick, if memory kept for W is equal in all.
 */
int picks_light(int n, const struct pick *, int *light);
/* Keep the picks that are not dominated, fastest first, thinned to MOST. Return whether thinning dropped some. */
bool picks_prune(struct picks *, int most);

#endif
