/*
 * Menus: for the contents of a stage's chunks, every way to recompute them that fits into the stage's
 * memory and that no other beats in the backward time of every chunk.  The step time never
 * grows when a backward time shrinks, so nothing outside the settings lists is ever needed.
 */
#ifndef STAGE_SETTINGS_H
#define STAGE_SETTINGS_H

#include <stdbool.h>

#include "problem.h"

struct stage_settings {
	int n;			/* 0: these contents do not fit, or the settings is not complete */
	double *backward;	/* [n][chunks], ms, of the body layers */
	short *mix;		/* [n][chunks], index in the content's mixes */
	bool complete;		/* false: there are too many to list; see fit.h */
	long tries;		/* combinations looked at for it */
	double work;		/* comparisons of backward times to make it, at most */
};

/* How many combinations of mixes there are for CONTENT[chunks]; a settings is made of problem.list_limits.combinations at most. */
double settings_combinations(const struct problem *, const int *content);

struct settings_cache {			/* made when asked for, then kept; one for each thread */
	const struct problem *problem;
	struct cache_entry *entry;
	size_t room, used;
	long tries;		/* combinations looked at for all settings lists: what they cost */
	double work;		/* comparisons of backward times for all of them, at most */
	size_t bytes;		/* that they take */
};

struct settings_cache settings_cache_new(const struct problem *);
void settings_cache_free(struct settings_cache *);
/* The settings of CONTENT[chunks] on a stage; valid until settings_cache_free(). */
const struct stage_settings *settings_cache_get(struct settings_cache *, int stage, const int *content);

bool settings_cache_has(const struct settings_cache *, int stage, const int *content);	/* already made */

/* MB that the stage's peak needs at least, every layer recomputed as far as it goes. */
double stage_least_memory(const struct problem *, int stage, const int *content);
/* MB that the stage peaks at. */
double stage_peak(const struct problem *, int stage, const int *content, const int *mix);

#endif
