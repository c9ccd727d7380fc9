/*
 * Catalog: all contents that each stage can hold, with their menus; and what dynamic
 * programming over the stages can say with it.
 */
#ifndef CATALOG_H
#define CATALOG_H

#include "sapp-lp/model/stage_settings.h"

struct dish {
	int *content;		/* [chunks] */
	int layers;
	const struct menu *menu;	/* not empty; NULL: there is none, see price.h */
	double *floor;		/* ms, with one chunk and no menu: at most the backward time needed; raised as more is known */
};

void dish_free(struct dish *);

struct box;

struct catalog {
	const struct problem *problem;
	const struct box *box;	/* NULL, or what settings are allowed besides; see catalog_within() */
	bool borrowed;		/* the dishes' contents belong to another catalog */
	int *n;			/* [stages] */
	struct dish **dish;	/* [stages][n] */
	bool complete;		/* every plan (shorter than the horizon, if one was given) is made of these */
	bool whole;		/* of catalog_list(): every plan with at most so many layers a stage is */
	double deadline;	/* for bounds, which hold also when they were stopped */
	double bound;		/* of catalog_new(): ms, no plan is shorter, whether complete or not; 0: not known */
};

/*
 * For a proof: all contents of plans shorter than HORIZON, with their menus where those are short. WEIGHT: a mean of
 * paths, by which most contents can be left out before their menus are made. Not complete, and of no other use,
 * when there are too many of them, or DEADLINE passes; a bound may be known even so.
 */
struct catalog catalog_new(const struct problem *, struct menus *, const struct visits *weight, double horizon,
    double deadline);
/* How many states dynamic programming over the stages has. */
double catalog_states(const struct problem *);
/* Whether catalog_list() is of any use: with very many contents it is not. */
bool catalog_can_list(const struct problem *);
/*
 * For a start: contents of at most MOST layers a stage, without menus; FITTING: only those that fit into memory
 * when everything is recomputed. Complete when neither MOST nor their number left any out.
 */
struct catalog catalog_list(const struct problem *, bool fitting, int most);
void catalog_free(struct catalog *);
int catalog_bare(const struct catalog *);	/* its dishes without menus */
/* The part of a catalog that a box allows; both must outlive it. */
struct catalog catalog_within(const struct catalog *, const struct box *);

/*
 * Of a catalog without menus: the least MB by which the worst stage must exceed its limit (negative: room left),
 * the plan that does, every layer recomputed as far as it goes, and that stage.
 */
double catalog_excess(const struct catalog *, struct candidate *out, int *stage);

/* Of a catalog without menus, of fitting contents: the plan whose busiest stage is least busy; false when no choice of dishes places every layer. */
bool catalog_balance(const struct catalog *, struct candidate *out);

/*
 * The plan that minimises the weighted sum of its costs, WEIGHT being a mean of paths: since the step is at least
 * as long as every path, and so as their mean, that least sum is a lower bound on every plan
 * in the catalog. INFINITY: no plan; -INFINITY: the catalog's deadline has passed. OUT may be NULL.
 */
double catalog_bound(const struct catalog *, const struct visits *weight, struct candidate *out);

/* Drop the dishes with which the weighted sum is at least HORIZON whatever the other stages choose, as
 * far as the catalog's deadline allows; returns how many. */
long catalog_trim(struct catalog *, const struct visits *weight, double horizon);

#endif
