/*
 * Arcs: the transitions of dynamic programming over the stages.  A state says which layers the stages so far have
 * taken; an arc of a stage leads from a state to the one with the layers of a pattern taken too, at the pattern's cost.
 *
 * With one chunk a stage, a state is the number of layers taken in the model's order, which is then kept exactly; with
 * several chunks, a state counts the layers of each body, and plans out of order are not excluded: a least sum of costs
 * over the arcs is then a lower bound on that of plans in order. Where states are too many (patterns.decoupled) there
 * are no arcs, only costs of patterns.
 */
#ifndef DP_ARC_H
#define DP_ARC_H

#include "patterns.h"

struct arc {
	int advance;		/* new state minus old state */
	int pattern;		/* the cheapest of the stage that leads so far */
	int last;		/* of those patterns, from which priced.same goes on to the others */
	double cost;		/* of the pattern */
};

struct priced {			/* a pattern */
	double cost;		/* ms that its cheapest setting adds to the mean of paths, or a lower bound */
	bool open;		/* it is a lower bound, which arcs_refine() may raise */
	int setting;		/* the cheapest in the pattern's list of settings, if it has one */
	int advance;		/* of the state; -1: more layers of a body than there are */
	int same;		/* another pattern that leads as far; -1: no other; unused where states are runs */
};

struct arcs {
	const struct patterns *patterns;
	bool runs;		/* one chunk a stage: a state is how many layers are taken, each pattern has an arc */
	int states;		/* in the first one no layer is taken, in the last one all are */
	/*
	 * Several chunks: states stand in rows of so many that differ in the layers of one body alone; those of other
	 * rows differ in those of another body.
	 */
	int width;
	int *taken;		/* [states][bodies], layers; NULL: runs */
	int *radix;		/* [bodies], by how much a layer of each advances the state */
	int *n;			/* [stages], number of arcs */
	struct arc **arc;	/* [stages][n] */
	int **run;		/* [stages][contents], where states are runs: 1 + the arc of a content, 0: none */
	int *shortest, *longest;	/* [stages], layers of the shortest and longest run */
	struct priced **priced;	/* [stages][patterns] */
	struct pricing *prices;	/* [stages], for patterns without a list of settings */
};

/* Under WEIGHT, a mean of paths. */
struct arcs arcs_new(const struct patterns *, const struct visits *weight);
void arcs_free(struct arcs *);
/*
 * One chunk a stage: to visit the arcs that leave STATE, arc_at() for every NUMBER below this. NULL: there is none of
 * that number.
 */
int arcs_count(const struct arcs *, int stage);
const struct arc *arc_at(const struct arcs *, int stage, int state, int number);
/*
 * Several chunks: of a ROW, an arc or a pattern that advances by ADVANCE leaves so many states, the first ones, so that
 * there are enough layers of each body; 0: none. It advances all of them by the same.
 */
int arcs_leave(const struct arcs *, int row, int advance);
/*
 * Replace the lower bound that is an arc's cost by a better one, or the cost itself. True when it rose: the arc may
 * have another pattern then, and what was chosen before may not be the least any more.
 */
bool arcs_refine(struct arcs *, int stage, const struct arc *);
/* The same of a pattern's cost alone. */
bool pattern_refine(struct arcs *, int stage, int pattern);
/* The cheapest setting of a pattern, MIX[chunks]. */
void pattern_setting(const struct arcs *, int stage, int pattern, int *mix);

#endif
