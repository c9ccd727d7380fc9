/*
 * Patterns: what each stage can hold, a content for each of its chunks (the patterns of cutting stock, Gilmore and
 * Gomory 1961).
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "sapp-lp/model/stage_settings.h"

struct pattern {
	int *content;		/* [chunks] */
	const struct stage_settings *settings;	/* not empty; NULL: too many to list, costs are from pricing.h */
	/* ms, one chunk without a list of settings: bound on its backward time, raised later; NULL: problem.parts */
	double *floor;
};

void pattern_free(struct pattern *);

struct node_bounds;
struct alternatives;

struct patterns {
	const struct problem *problem;
	/* that settings must keep to besides, see patterns_within(); NULL: none */
	const struct node_bounds *bounds;
	bool borrowed;	/* what the patterns point to belongs to the set that patterns_within() took them from */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	struct alternatives *alternatives;	/* what those of patterns_generated() are made of; NULL: listed */
	double **multiplier;	/* [stages], for their prices: see cheapest.h */
	bool complete;		/* every plan (shorter than the horizon, if one was given) is made of these */
	double deadline;	/* s of clock.h, at which dynamic programming over these stops */
	double bound;		/* of patterns_new(): ms, a lower bound on every plan; 0: not known */
	double *price;		/* [bodies] of it, ms a layer, for the same with several chunks */
};

/*
 * For a proof: the patterns of all plans shorter than HORIZON (ms), with lists of settings where those are short.
 * WEIGHT is a mean of paths, by whose bound most patterns are left out before their settings are listed. Where there
 * are too many patterns, or at DEADLINE (s of clock.h), the set is not complete, and no proof can be made with it.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight,
    double horizon, double deadline);
/*
 * For a proof where they are too many: patterns are not listed, but made when they are priced. See
 * alternatives_can().
 */
struct patterns patterns_generated(const struct problem *, const struct visits *weight, double horizon,
    double deadline);
/*
 * Those that fit into memory when everything is recomputed, without lists of settings; not complete where there are too
 * many, or at DEADLINE (s of clock.h).
 */
struct patterns patterns_that_fit(const struct problem *, double deadline);
void patterns_free(struct patterns *);
/*
 * Pricing: a lower bound on every plan of the patterns, ms, by WEIGHT, a mean of paths, and the columns for the master
 * problem that it comes from, OUT (may be NULL): see stage_dp.h, and with several chunks, by PRICE[bodies], ms a layer,
 * too, decoupled.h. Where the bound is over ABOVE and below HORIZON, patterns without a shorter plan go.
 */
double patterns_price(struct patterns *, const struct visits *weight, const double *price, double above,
    double horizon, struct candidate *out);
/*
 * Such a sum as a bound that may be printed: what rounding can have added to it, and to weights that are a mean of
 * PATHS paths, is taken off.
 */
double patterns_proved(const struct problem *, double sum, int paths);
/*
 * Drop the patterns of a stage with which a plan takes LEAST[patterns] + FIXED, ms, at least, and so HORIZON or more;
 * returns how many.
 */
long patterns_drop(struct patterns *, int stage, const double *least, double fixed, double horizon);
int patterns_unlisted(const struct patterns *);	/* how many have no list of settings */
/* About ns of a processor that it takes to price them once. */
double patterns_work(const struct patterns *);
/* The patterns that a node's bounds allow, NULL: all; both must outlive them. */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

#endif
