/*
 * Patterns: the possible contents of each stage, one content per chunk (as in cutting stock, Gilmore and Gomory 1961).
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "sapp-lp/model/stage_settings.h"

struct pattern {
	int *content;		/* [chunks], content of each chunk */
	const struct stage_settings *settings;	/* not empty; NULL: too many to list, costs are computed by pricing.h */
	/*
	 * With one chunk and without problem.parts: lower bound on the pattern's backward, ms, which is raised later.
	 * Otherwise NULL.
	 */
	double *floor;
};

void pattern_free(struct pattern *);

struct node_bounds;
struct alternatives;

struct patterns {
	const struct problem *problem;
	/* from patterns_within(): bounds that settings must also respect; NULL: none */
	const struct node_bounds *bounds;
	bool borrowed;		/* made by patterns_within(): another set owns the pointers */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	struct alternatives *alternatives;	/* source of patterns_generated(); NULL: all patterns are listed */
	double **multiplier;	/* [stages], multipliers for generated patterns: see cheapest.h */
	bool complete;		/* whether the patterns include every plan (shorter than the horizon, if given) */
	double deadline;	/* s of clock_now(), end of dynamic programming over the patterns */
	double bound;		/* lower bound of patterns_new() on every plan, ms; 0: unknown */
	double *price;		/* [bodies], ms per layer, with several chunks the proof of this bound */
};

/*
 * Return the patterns of all plans shorter than HORIZON (ms), for a proof, with short lists of settings. Reduced-cost
 * fixing by WEIGHT, a mean of paths, drops most patterns before settings are listed. If the patterns are too many, or
 * at DEADLINE (s of clock_now()), the set is incomplete and proves nothing.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight,
    double horizon, double deadline);
/*
 * Return a set that generates patterns by pricing instead of listing them, if they are too many to list; see
 * alternatives_can().
 */
struct patterns patterns_generated(const struct problem *, const struct visits *weight, double horizon,
    double deadline);
/*
 * Return the patterns that fit with full recomputation, without lists of settings. The set is incomplete if the
 * patterns are too many, or at DEADLINE.
 */
struct patterns patterns_that_fit(const struct problem *, double deadline);
void patterns_free(struct patterns *);
/*
 * Pricing: return a lower bound on the step of every plan of the patterns, ms. The bound follows from WEIGHT, a mean of
 * paths, and with several chunks from PRICE[bodies], ms per layer. OUT (may be NULL): columns of least reduced cost for
 * the master problem. See stage_dp.h for one chunk, decoupled.h for several. If the bound is above ABOVE and below
 * HORIZON, reduced-cost fixing drops the patterns that no plan shorter than HORIZON has.
 */
double patterns_price(struct patterns *, const struct visits *weight, const double *price, double above,
    double horizon, struct candidate *out);
/*
 * Return the bound SUM of patterns_price() minus its possible rounding, to be printed. The weights are a mean of PATHS
 * paths.
 */
double patterns_proved(const struct problem *, double sum, int paths);
/*
 * Drop the patterns of a stage for which LEAST[patterns] + FIXED reaches HORIZON, ms. LEAST: lower bound with each
 * pattern. Return the number dropped.
 */
long patterns_drop(struct patterns *, int stage, const double *least, double fixed, double horizon);
int patterns_unlisted(const struct patterns *);	/* return the number of patterns without a list of settings */
/* Return the approximate processor time of patterns_price(), ns. */
double patterns_work(const struct patterns *);
/*
 * Return the patterns that the bounds of a node allow (NULL: all). The patterns and the bounds must outlive the result.
 */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

#endif
