/*
 * Stage settings: given the contents of a stage's chunks, all settings (a mix for each chunk) that fit into the stage's
 * memory and that no other equals or beats in the backward time of every chunk, in each of its parts where kinds of
 * recomputation differ in them.  The step time never grows when one of these times shrinks, so an optimal plan can be
 * made of these alone.
 */
#ifndef STAGE_SETTINGS_H
#define STAGE_SETTINGS_H

#include <stdbool.h>

#include "least_memory.h"
#include "lib/base/index.h"

struct stage_settings {
	int n;			/* 0: the contents do not fit, or the list is not complete */
	double *backward;	/* [n][chunks], ms, of the body layers */
	double *gradient;	/* [n][chunks], mix.gradient */
	short *mix;		/* [n][chunks], index in the content's front */
	bool complete;		/* false: there are too many to list, and none is; see pricing.h, recompute_greedy.h */
	long tries;		/* combinations of mixes that were looked at */
	double work;		/* upper bound on the comparisons of backward times */
};

/*
 * Combinations of mixes to look at for a list of the settings of CONTENT[chunks]: all chunks' but the last, which
 * follows; all chunks' where one with less activation may be faster. Only lists of at most
 * problem.list_limits.combinations are made. INFINITY: a front is thinned.
 */
double settings_combinations(const struct problem *, const int *content);

struct settings_cache {		/* lists, each made when first asked for; one for each thread */
	const struct problem *problem;
	bool proof;		/* as in settings_cache_new() */
	int n;
	struct cache_entry *entry;	/* [n] */
	struct index index;	/* of entries */
	long tries;		/* of all lists, and one for each: a measure of their cost */
	double work;		/* of all lists */
	size_t bytes;		/* of memory that they take */
};

/* PROOF: all settings that fit by proof_limit(); otherwise those that plans may have. */
struct settings_cache settings_cache_new(const struct problem *, bool proof);
void settings_cache_free(struct settings_cache *);
/* The list for CONTENT[chunks] on a stage; valid until settings_cache_free(). */
const struct stage_settings *settings_cache_get(struct settings_cache *, int stage, const int *content);

bool settings_cache_has(const struct settings_cache *, int stage, const int *content);	/* already made */

/* Does every stage's peak stay within its limit, but for MEMORY_SLACK? */
bool candidate_fits(const struct problem *, const struct candidate *);
/* MB of the stage's peak. */
double stage_peak(const struct problem *, int stage, const int *content, const int *mix);

#endif
