/* Selection: few and cheap runs that reach all goals. */
#ifndef SELECTION_H
#define SELECTION_H

#include "asked.h"

enum goal_kind {
	GOAL_TIMES,	/* times of a layer of certain shapes */
	GOAL_KEPT,	/* memory that such a layer keeps without recomputation */
	GOAL_AGAIN,	/* times of its recomputation */
	GOAL_SENT,	/* times of a collective */
	GOAL_BASE,	/* the base run of a regime */
	GOAL_APART,	/* two products of factors, to be distinguished */
};

struct goal {
	int kind, regime;
	double weight;
	struct shapes shape;
	struct sent sent;
	int delta[FACTORS];
	bool never;		/* whether no offered run reaches the goal */
};

struct selection {
	size_t ngoals, noffers;
	struct goal *goal;
	bool *tells;		/* [noffers][ngoals], whether the run reaches the goal */
	bool *taken;		/* [noffers], whether the run is selected */
	bool moves[REGIMES][FACTORS];	/* [regimes][factors], whether the factor is needed */
	bool asked[REGIMES];	/* [regimes], whether any factor is needed */
	double margin[REGIMES];	/* [regimes], margin of the selected runs */
	bool unsure[REGIMES][FACTORS];	/* [regimes][factors], whether the factor differs in the closest pair */
};

/* Select runs from the offered runs, and set the texts that describe the runs. */
struct selection choose(struct offers *, const struct asked *, const struct site *);
void selection_free(struct selection *);

#endif
