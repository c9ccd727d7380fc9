/*
 * Stage settings: for given contents of a stage's chunks, the settings (a mix per chunk) that fit its memory and are
 * not dominated. A setting is dominated if another setting takes no longer in the backward of any chunk. If kinds
 * differ in parts of a backward, it must take no longer in any part. The step never grows when one of these times
 * shrinks, so some optimal plan uses only undominated settings.
 */
#ifndef STAGE_SETTINGS_H
#define STAGE_SETTINGS_H

#include <stdbool.h>

#include "lib/base/index.h"
#include "least_memory.h"

struct stage_settings {
	int n;			/* 0: the contents do not fit, or the list is not complete */
	double *backward;	/* [n][chunks], ms, of body layers */
	double *gradient;	/* [n][chunks], mix.gradient */
	short *mix;		/* [n][chunks], index in the content's front */
	bool complete;		/* false: too many settings to list, and n is 0; see pricing.h, recompute_greedy.h */
	long tries;		/* number of combinations of mixes tried */
	double work;		/* upper bound on comparisons of backward times */
};

/*
 * Return the number of combinations of mixes to try for the settings of CONTENT[chunks], or INFINITY if a front is
 * thinned. If a mix with less activation may be faster, combinations include the last chunk; otherwise the other mixes
 * determine its mix. Lists are limited to problem.list_limits.combinations.
 */
double settings_combinations(const struct problem *, const int *content);

struct settings_cache {		/* lists built on demand; one cache per thread */
	const struct problem *problem;
	bool proof;		/* see settings_cache_new() */
	int n;
	struct cache_entry *entry;	/* [n] */
	struct index index;	/* of entries */
	long tries;		/* tries of all lists, plus one per list: a measure of cost */
	double work;		/* sum of the work of all lists */
	size_t bytes;		/* size of all lists, bytes */
};

/*
 * Create an empty cache. PROOF: list all settings that fit by proof_limit(). Otherwise list the settings that plans may
 * have.
 */
struct settings_cache settings_cache_new(const struct problem *, bool proof);
void settings_cache_free(struct settings_cache *);
/* Return the list for CONTENT[chunks] on a stage, valid until settings_cache_free(). */
const struct stage_settings *settings_cache_get(struct settings_cache *, int stage, const int *content);

bool settings_cache_has(const struct settings_cache *, int stage, const int *content);	/* whether the list exists */

/* Return whether every stage's peak is within its limit, plus MEMORY_SLACK. */
bool candidate_fits(const struct problem *, const struct candidate *);
/* Return the MB of the stage's peak. */
double stage_peak(const struct problem *, int stage, const int *content, const int *mix);

#endif
