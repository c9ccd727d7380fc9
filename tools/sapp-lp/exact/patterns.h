/*
 * Catalog: all contents that each stage can hold, with their cache; and what dynamic
 * programming over the stages can say with it.
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "sapp-lp/model/stage_settings.h"

struct pattern {
	int *content;		/* [chunks] */
	int layers;
	const struct stage_settings *settings;	/* not empty; NULL: there is none, see price.h */
	double *floor;		/* ms, with one chunk and no settings: at most the backward time needed; raised as more is known */
};

void pattern_free(struct pattern *);

struct node_bounds;

struct patterns {
	const struct problem *problem;
	const struct node_bounds *bounds;	/* NULL, or what settings are allowed besides; see patterns_within() */
	bool borrowed;		/* the patterns' contents belong to another patterns */
	int *n;			/* [stages] */
	struct pattern **pattern;	/* [stages][n] */
	bool complete;		/* every plan (shorter than the horizon, if one was given) is made of these */
	bool whole;		/* of patterns_list(): every plan with at most so many layers a stage is */
	double deadline;	/* for bounds, which hold also when they were stopped */
	double bound;		/* of patterns_new(): ms, no plan is shorter, whether complete or not; 0: not known */
};

/*
 * For a proof: all contents of plans shorter than HORIZON, with their settings lists where those are short. WEIGHT: a mean of
 * paths, by which most contents can be left out before their settings lists are made. Not complete, and of no other use,
 * when there are too many of them, or DEADLINE passes; a bound may be known even so.
 */
struct patterns patterns_new(const struct problem *, struct settings_cache *, const struct visits *weight, double horizon,
    double deadline);
/* How many states dynamic programming over the stages has. */
double stage_dp_states(const struct problem *);
/* Whether patterns_list() is of any use: with very many contents it is not. */
bool patterns_can_list(const struct problem *);
/*
 * For a start: contents of at most MOST layers a stage, without cache; FITTING: only those that fit into memory
 * when everything is recomputed. Complete when neither MOST nor their number left any out.
 */
struct patterns patterns_list(const struct problem *, bool fitting, int most);
void patterns_free(struct patterns *);
int patterns_unlisted(const struct patterns *);	/* its patterns without settings lists */
/* The part of a patterns that a bounds allows; both must outlive it. */
struct patterns patterns_within(const struct patterns *, const struct node_bounds *);

/*
 * Of a patterns without settings lists: the least MB by which the worst stage must exceed its limit (negative: room left),
 * the plan that does, every layer recomputed as far as it goes, and that stage.
 */
double stage_dp_excess(const struct patterns *, struct candidate *out, int *stage);

/* Of a patterns without cache, of fitting contents: the plan whose busiest stage is least busy; false when no choice of patterns places every layer. */
bool stage_dp_balance(const struct patterns *, struct candidate *out);

/*
 * The plan that minimises the weighted sum of its costs, WEIGHT being a mean of paths: since the step is at least
 * as long as every path, and so as their mean, that least sum is a lower bound on every plan
 * in the patterns. INFINITY: no plan; -INFINITY: the patterns's deadline has passed. OUT may be NULL.
 */
double stage_dp_bound(const struct patterns *, const struct visits *weight, struct candidate *out);

/* Drop the patterns with which the weighted sum is at least HORIZON whatever the other stages choose, as
 * far as the patterns's deadline allows; returns how many. */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
