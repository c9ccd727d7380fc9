/*
 * Pattern costs: what each pattern of each stage adds to a mean of paths, by its cheapest setting, or a lower bound on
 * that, which is raised where it matters.
 */
#ifndef PATTERN_COSTS_H
#define PATTERN_COSTS_H

#include "patterns.h"

struct priced {			/* a pattern */
	double cost;		/* ms that its cheapest setting adds to the mean of paths, or a lower bound */
	bool open;		/* cost is a lower bound, which pattern_costs_refine() may raise */
	int setting;		/* the cheapest in the pattern's list of settings, if it has a list */
};

struct pattern_costs {
	const struct patterns *patterns;
	struct priced **priced;		/* [stages][patterns] */
	struct pricing *prices;		/* [stages], for patterns without a list of settings */
};

/* Under WEIGHT, a mean of paths. */
struct pattern_costs pattern_costs_new(const struct patterns *, const struct visits *weight);
void pattern_costs_free(struct pattern_costs *);
/* Replace the lower bound that is a pattern's cost by a better one, or the cost itself. True when it rose. */
bool pattern_costs_refine(struct pattern_costs *, int stage, int pattern);
/* The cheapest setting of a pattern, MIX[chunks]. */
void pattern_costs_setting(const struct pattern_costs *, int stage, int pattern, int *mix);

#endif
