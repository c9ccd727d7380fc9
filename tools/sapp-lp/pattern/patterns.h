/* Patterns: what each stage can hold, a content per chunk (as in cutting stock, Gilmore and Gomory 1961). */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "sapp-lp/model/stage_settings.h"

struct pattern {
	int *content;		/* [chunks] */
	const struct stage_settings *settings;	/* not empty; NULL: too many to list, costs from pricing.h */
	/* With one chunk, without problem.parts: a lower bound on its backward, ms, raised later; else NULL. */
	double *floor;
};

void pattern_free(struct pattern *);

struct node_bounds;
struct alternatives;

struct patterns {
	const struct problem *problem;
	/* from patterns_within(): bounds that settings also respect; NULL: none */
	const struct node_bounds *bounds;
	bool borrowed;		/* from patterns_within(): another set owns the pointers */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	struct alternatives *alternatives;	/* source of patterns_generated(); NULL: listed */
	double **multiplier;	/* [stages], for generated ones: see cheapest.h */
	bool complete;		/* they include every plan (shorter than the horizon, if given) */
	double deadline;	/* s of clock.h, end of dynamic programming over these */
	double bound;		/* from patterns_new(): lower bound on every plan, ms; 0: unknown */
	double *price;		/* [bodies], ms per layer, proof of that bound with several chunks */
};

/*
 * Return, for a proof, the patterns of all plans shorter than HORIZON (ms), with short lists of settings. Reduced-cost
 * fixing by WEIGHT, a mean of paths, drops most patterns before listing settings. With too many patterns, or at
 * DEADLINE (s of clock.h), the set is incomplete and proves nothing.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight,
    double horizon, double deadline);
/* Do the same by pricing, if the patterns are too many to list; see alternatives_can(). */
struct patterns patterns_generated(const struct problem *, const struct visits *weight, double horizon,
    double deadline);
/* Return the patterns that fit with full recomputation, without lists of settings; incomplete as above. */
struct patterns patterns_that_fit(const struct problem *, double deadline);
void patterns_free(struct patterns *);
/*
 * Pricing: return a lower bound on every plan of the patterns, ms, from WEIGHT, a mean of paths, and with several
 * chunks PRICE[bodies], ms per layer. OUT (may be NULL): columns of least reduced cost for the master problem. See
 * stage_dp.h for one chunk, decoupled.h for several. If the bound is above ABOVE and below HORIZON, reduced-cost fixing
 * drops the patterns of no plan shorter than HORIZON.
 */
double patterns_price(struct patterns *, const struct visits *weight, const double *price, double above,
    double horizon, struct candidate *out);
/* Return such a bound for printing: minus possible rounding, for weights that are a mean of PATHS. */
double patterns_proved(const struct problem *, double sum, int paths);
/* Drop the patterns of a stage whose bound LEAST[patterns] + FIXED reaches HORIZON, ms; return their number. */
long patterns_drop(struct patterns *, int stage, const double *least, double fixed, double horizon);
int patterns_unlisted(const struct patterns *);	/* number without a list of settings */
/* Return the approximate ns of processor time of patterns_price(). */
double patterns_work(const struct patterns *);
/* Return the patterns allowed by a node's bounds (NULL: all); both must outlive them. */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

#endif
