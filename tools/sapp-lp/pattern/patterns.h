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
	/* With one chunk, without problem.parts: a lower bound on its backward time, ms, raised later; else NULL. */
	double *floor;
};

void pattern_free(struct pattern *);

struct node_bounds;
struct alternatives;

struct patterns {
	const struct problem *problem;
	const struct node_bounds *bounds;	/* of patterns_within(): settings keep to them, too; NULL: none */
	bool borrowed;		/* of patterns_within(): another set owns what the patterns point to */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	struct alternatives *alternatives;	/* what those of patterns_generated() are made of; NULL: listed */
	double **multiplier;	/* [stages], of the generated ones: see cheapest.h */
	bool complete;		/* every plan (shorter than the horizon, if one was given) is made of these */
	double deadline;	/* s of clock.h, at which dynamic programming over these stops */
	double bound;		/* of patterns_new(): ms, a lower bound on every plan; 0: not known */
	double *price;		/* [bodies], ms a layer, by which that bound is proved with several chunks */
};

/*
 * For a proof: the patterns of all plans shorter than HORIZON (ms), with lists of settings where those are short.
 * Reduced-cost fixing by WEIGHT, a mean of paths, drops most patterns before their settings are listed. With too many
 * patterns, or at DEADLINE (s of clock.h), the set is not complete, and no proof can be made with it.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight,
    double horizon, double deadline);
/* The same where they are too many to list: pricing generates them. See alternatives_can(). */
struct patterns patterns_generated(const struct problem *, const struct visits *weight, double horizon,
    double deadline);
/* Those that fit when everything is recomputed, without lists of settings; not complete as above. */
struct patterns patterns_that_fit(const struct problem *, double deadline);
void patterns_free(struct patterns *);
/*
 * Pricing: a lower bound on every plan of the patterns, ms, by WEIGHT, a mean of paths, and, with several chunks,
 * PRICE[bodies], ms a layer. OUT (may be NULL) gets the columns of least reduced cost for the master problem. See
 * stage_dp.h for one chunk, decoupled.h for several. Where the bound is over ABOVE and below HORIZON, reduced-cost
 * fixing drops the patterns of no plan shorter than HORIZON.
 */
double patterns_price(struct patterns *, const struct visits *weight, const double *price, double above,
    double horizon, struct candidate *out);
/* Such a bound as it may be printed: less what rounding can have added to it, by weights that are a mean of PATHS. */
double patterns_proved(const struct problem *, double sum, int paths);
/* Drop the patterns of a stage whose bound LEAST[patterns] + FIXED is HORIZON, ms, or more; returns how many. */
long patterns_drop(struct patterns *, int stage, const double *least, double fixed, double horizon);
int patterns_unlisted(const struct patterns *);	/* how many have no list of settings */
/* About how many ns of a processor patterns_price() takes. */
double patterns_work(const struct patterns *);
/* The patterns that a node's bounds allow, NULL: all; both must outlive them. */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

#endif
