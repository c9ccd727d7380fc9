/* Selection: few and cheap runs that reach the goals. */
#ifndef SELECTION_H
#define SELECTION_H

#include "asked.h"

enum goal_kind {
	GOAL_TIMES,	/* times of a layer of some shapes */
	GOAL_KEPT,	/* memory it keeps without recomputation */
	GOAL_AGAIN,	/* times of its recomputation */
	GOAL_SENT,	/* times of a collective */
	GOAL_BASE,	/* base run of a regime */
	GOAL_APART,	/* two products of factors, distinguished */
};

struct goal {
	int kind, regime;
	double weight;
	struct shapes shape;
	struct sent sent;
	int delta[FACTORS];
	bool never;		/* no offered run reaches it */
};

struct selection {
	size_t ngoals, noffers;
	struct goal *goal;
	bool *tells;		/* [noffers][ngoals] */
	bool *taken;		/* [noffers] */
	bool moves[REGIMES][FACTORS];	/* factors needed */
	bool asked[REGIMES];	/* has needed factors */
	double margin[REGIMES];	/* of the selected runs */
	bool unsure[REGIMES][FACTORS];	/* factors that differ in the closest pair */
};

/* Select runs; sets the texts of OFFERS. */
struct selection choose(struct offers *, const struct asked *, const struct site *);
void selection_free(struct selection *);

#endif
