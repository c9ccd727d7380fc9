/*
 * Offers: for dynamic programming over the stages, what each stage can add to the layers that those before
 * it have taken, and what that costs.  With one chunk a stage the layers' order is respected exactly, so that
 * a state is how many are taken; with several a state counts them by kind of layer, and their order is
 * not seen, which can make a bound lower but never wrong.
 */
#ifndef DP_ARC_H
#define DP_ARC_H

#include "patterns.h"

struct arc {
	int step;		/* from state to state */
	int pattern;		/* the cheapest that makes this step */
	double cost;
};

struct arcs {
	const struct patterns *patterns;
	bool runs;		/* a state is how many layers are taken, and each pattern is an arc of its own */
	int states;		/* the last one has every layer taken */
	int *taken;		/* [states][bodies]; NULL: runs */
	int *radix;		/* [bodies]: what one layer of each adds to a state */
	int *n;			/* [stages] */
	struct arc **arc;	/* [stages] */
	int **run;		/* [stages][contents], where states are runs: 1 + the arc of a content, 0: none */
	int *shortest, *longest;	/* [stages], layers of the runs */
	double **cost;		/* [stages][patterns] */
	int **setting;		/* [stages][patterns], of its settings, if it has one */
	bool **open;		/* [stages][patterns]: the cost is only a bound, and arcs_refine() may know better */
	struct pricing *prices;	/* [stages], of the patterns without cache; NULL: costs are measured */
};

/* What the contents of a stage cost. */
typedef double pattern_measure(const struct problem *, int stage, const int *content);

/* Costs are the weighted sums under WEIGHT, a mean of paths, or where that is NULL what MEASURE says. */
struct arcs arcs_new(const struct patterns *, const struct visits *weight, pattern_measure *);
void arcs_free(struct arcs *);
/* Numbers that arc_at() knows for a stage. */
int arcs_count(const struct arcs *, int stage);
/* One that a stage may be able to take after STATE, unless arc_follows() denies it; NULL: none of that number. */
const struct arc *arc_at(const struct arcs *, int stage, int state, int number);
bool arc_follows(const struct arcs *, int stage, int state, const struct arc *);
/* Can a stage take a pattern after STATE? */
bool arcs_pattern_follows(const struct arcs *, int stage, int state, int pattern);
int arcs_advance(const struct arcs *, int stage, int pattern);
/* Find out what an arc really costs. True when that is more than it seemed; another pattern may make its step then. */
bool arcs_refine(struct arcs *, int stage, const struct arc *);
/* The setting of the pattern: MIX[chunks]. */
void arcs_setting(const struct arcs *, int stage, const struct arc *, int *mix);

#endif
