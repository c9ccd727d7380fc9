/*
 * Patterns: what each stage can hold, a content for each of its chunks (the patterns of cutting stock, Gilmore and
 * Gomory 1961); and what dynamic programming over the stages says of the plans made of them.
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "sapp-lp/model/stage_settings.h"

struct pattern {
	int *content;		/* [chunks] */
	int layers;		/* of all chunks */
	const struct stage_settings *settings;	/* not empty; NULL: too many to list, costs are from pricing.h */
	double *floor;	/* ms, one chunk without a list of settings: lower bound on its backward time, raised later */
};

void pattern_free(struct pattern *);

struct node_bounds;

struct patterns {
	const struct problem *problem;
	/* that settings must keep to besides, see patterns_within(); NULL: none */
	const struct node_bounds *bounds;
	bool borrowed;	/* what the patterns point to belongs to the set that patterns_within() took them from */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	bool complete;		/* every plan (shorter than the horizon, if one was given) is made of these */
	bool whole;		/* of patterns_list(): every plan with at most MOST layers a stage is made of these */
	double deadline;	/* s of clock.h, at which dynamic programming over these stops */
	double bound;		/* of patterns_new(): ms, a lower bound on every plan; 0: not known */
};

/*
 * For a proof: the patterns of all plans shorter than HORIZON (ms), with lists of settings where those are short.
 * WEIGHT is a mean of paths, by whose bound most patterns are left out before their settings are listed. Where there
 * are too many patterns, or at DEADLINE (s of clock.h), the set is not complete, and no proof can be made with it.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight, double horizon,
    double deadline);
/* The number of states that dynamic programming has at each stage. */
double stage_dp_states(const struct problem *);
/* Whether patterns are few enough for patterns_list(). */
bool patterns_can_list(const struct problem *);
/*
 * For a start: patterns of at most MOST layers a stage, without lists of settings; FITTING: only those that fit into
 * memory when everything is recomputed. Complete when neither MOST nor their number left any out.
 */
struct patterns patterns_list(const struct problem *, bool fitting, int most);
void patterns_free(struct patterns *);
int patterns_unlisted(const struct patterns *);	/* how many have no list of settings */
/* The patterns that a node's bounds allow; both must outlive them. */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

/*
 * Of patterns without lists of settings: the least MB by which the worst stage of a plan exceeds its limit (negative:
 * room left), with every layer recomputed as far as it goes; OUT is a plan that exceeds by no more, *STAGE its worst
 * stage. The plan's layers need not be in the model's order with several chunks a stage.
 */
double stage_dp_excess(const struct patterns *, struct candidate *out, int *stage);

/*
 * Of fitting patterns without lists of settings: the plan whose busiest stage is least busy, its chunks recomputed by
 * equal shares. False when no choice of patterns places every layer.
 */
bool stage_dp_balance(const struct patterns *, struct candidate *out);

/*
 * A lower bound on the step time of every plan of the patterns, ms: the step is at least as long as every path, and
 * so as WEIGHT, a mean of paths; this is the least that WEIGHT comes to for any choice of patterns and settings.
 * INFINITY: there is no plan; -INFINITY: the deadline has passed. OUT (may be NULL) is the choice, its layers not
 * always in order.
 */
double stage_dp_bound(const struct patterns *, const struct visits *weight, struct candidate *out);

/*
 * The same sum as a bound that may be printed: what rounding can have added to it, and to weights that are a mean of
 * PATHS paths, is taken off.
 */
double stage_dp_proved(const struct problem *, double sum, int paths);

/*
 * Drop the patterns with which WEIGHT comes to at least HORIZON (ms) whatever the other stages choose, as far as the
 * deadline allows; returns how many.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
