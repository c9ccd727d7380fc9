/*
 * Offers: for dynamic programming over the stages, what each stage can add to the layers that those before
 * it have taken, and what that costs.  With one chunk a stage the layers' order is respected exactly, so that
 * a state is how many are taken; with several a state counts them by kind of layer, and their order is
 * not seen, which can make a bound lower but never wrong.
 */
#ifndef OFFER_H
#define OFFER_H

#include "patterns.h"

struct offer {
	int step;		/* from state to state */
	int dish;		/* the cheapest that makes this step */
	double cost;
};

struct offers {
	const struct catalog *catalog;
	bool runs;		/* a state is how many layers are taken, and each dish is an offer of its own */
	int states;		/* the last one has every layer taken */
	int *taken;		/* [states][bodies]; NULL: runs */
	int *radix;		/* [bodies]: what one layer of each adds to a state */
	int *n;			/* [stages] */
	struct offer **offer;	/* [stages] */
	int **run;		/* [stages][contents], where states are runs: 1 + the offer of a content, 0: none */
	int *shortest, *longest;	/* [stages], layers of the runs */
	double **cost;		/* [stages][dishes] */
	int **setting;		/* [stages][dishes], of its menu, if it has one */
	bool **open;		/* [stages][dishes]: the cost is only a bound, and offers_refine() may know better */
	struct prices *prices;	/* [stages], of the dishes without menus; NULL: costs are measured */
};

/* What the contents of a stage cost. */
typedef double dish_measure(const struct problem *, int stage, const int *content);

/* Costs are the weighted sums under WEIGHT, a mean of paths, or where that is NULL what MEASURE says. */
struct offers offers_new(const struct catalog *, const struct visits *weight, dish_measure *);
void offers_free(struct offers *);
/* Numbers that offer_at() knows for a stage. */
int offers_count(const struct offers *, int stage);
/* One that a stage may be able to take after STATE, unless offer_follows() denies it; NULL: none of that number. */
const struct offer *offer_at(const struct offers *, int stage, int state, int number);
bool offer_follows(const struct offers *, int stage, int state, const struct offer *);
/* Can a stage take a dish after STATE? */
bool offers_dish_follows(const struct offers *, int stage, int state, int dish);
int offers_step(const struct offers *, int stage, int dish);
/* Find out what an offer really costs. True when that is more than it seemed; another dish may make its step then. */
bool offers_refine(struct offers *, int stage, const struct offer *);
/* The setting of the dish: MIX[chunks]. */
void offers_setting(const struct offers *, int stage, const struct offer *, int *mix);

#endif
