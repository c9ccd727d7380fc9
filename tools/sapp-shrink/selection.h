/* Selection: of runs that may be made, few and cheap ones that tell what is asked. */
#ifndef SELECTION_H
#define SELECTION_H

#include "asked.h"

enum goal_kind {
	GOAL_TIMES,	/* a layer of some shapes */
	GOAL_KEPT,	/* what it keeps without recomputation */
	GOAL_AGAIN,	/* its recomputation */
	GOAL_SENT,	/* a collective */
	GOAL_BASE,	/* what runs of a regime are compared with */
	GOAL_APART,	/* two products of factors, told apart */
};

struct goal {
	int kind, regime;
	double weight;
	struct shapes shape;
	struct sent sent;
	int delta[FACTORS];
	bool never;		/* no run that is offered tells it */
};

struct selection {
	size_t ngoals, noffers;
	struct goal *goal;
	bool *tells;		/* [noffers][ngoals] */
	bool *taken;		/* [noffers] */
	bool moves[REGIMES][FACTORS];	/* factors that are asked for */
	bool asked[REGIMES];	/* for factors */
	double margin[REGIMES];	/* of what is taken */
	bool unsure[REGIMES][FACTORS];	/* in which the nearest two differ */
};

/* OFFERS get their tells. */
struct selection choose(struct offers *, const struct asked *, const struct site *);
void selection_free(struct selection *);

#endif
