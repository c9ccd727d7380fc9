/*
 * Pattern costs: the cost that each pattern of each stage adds to a mean of paths, by its cheapest setting, or a lower
 * bound on it, refined on demand.
 */
#ifndef PATTERN_COSTS_H
#define PATTERN_COSTS_H

#include "patterns.h"

struct priced {			/* a pattern */
	double cost;		/* ms added to the mean of paths by its cheapest setting, or a lower bound */
	bool open;		/* cost is a lower bound that pattern_costs_refine() may raise */
	int setting;		/* the cheapest in the pattern's list of settings, if any */
};

struct pattern_costs {
	const struct patterns *patterns;
	struct priced **priced;		/* [stages][patterns] */
	struct pricing *prices;		/* [stages], for patterns without a list of settings */
};

/* Compute costs under WEIGHT, a mean of paths. */
struct pattern_costs pattern_costs_new(const struct patterns *, const struct visits *weight);
void pattern_costs_free(struct pattern_costs *);
/* Improve the lower bound of a pattern's cost, up to the exact cost. True if it rose. */
bool pattern_costs_refine(struct pattern_costs *, int stage, int pattern);
/* Get the cheapest setting of a pattern, MIX[chunks]. */
void pattern_costs_setting(const struct pattern_costs *, int stage, int pattern, int *mix);

#endif
