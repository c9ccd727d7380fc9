/*
 * Pattern costs: the ms that each pattern of each stage adds to a mean of paths. The cost is that of the pattern's
 * cheapest setting, or a lower bound on it that is refined on demand.
 */
#ifndef PATTERN_COSTS_H
#define PATTERN_COSTS_H

#include "patterns.h"

struct priced {			/* the cost of a pattern */
	double cost;		/* ms that the cheapest setting adds to the mean of paths, or a lower bound */
	bool open;		/* whether cost is a lower bound that pattern_costs_refine() may raise */
	int setting;		/* index of the cheapest setting in the pattern's list of settings, if any */
};

struct pattern_costs {
	const struct patterns *patterns;
	struct priced **priced;		/* [stages][patterns] */
	struct pricing *prices;		/* [stages], for patterns without a list of settings */
};

/* Compute the costs of all patterns under WEIGHT, a mean of paths. */
struct pattern_costs pattern_costs_new(const struct patterns *, const struct visits *weight);
void pattern_costs_free(struct pattern_costs *);
/* Raise the lower bound on a pattern's cost, at most to the exact cost. Return whether it rose. */
bool pattern_costs_refine(struct pattern_costs *, int stage, int pattern);
/* Get the cheapest setting of a pattern, MIX[chunks]. */
void pattern_costs_setting(const struct pattern_costs *, int stage, int pattern, int *mix);

#endif
