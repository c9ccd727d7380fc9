/*
 * Keep the k best of a sequence of configurations. Configurations with equal estimates share a row: the simplest of
 * them and the list of the others.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/configuration.h"
#include "lib/record/prediction.h"

#define RANKING_ALIKE 0.0005		/* default */

struct rank {
	double key;			/* smaller is better; equal keys rank by arrival */
	double step_time, lower_bound;
	bool fits;
	int simple[5];			/* cp, tp, pp, vp, mbs: compared in this order, smaller is simpler */
	int64_t came;
	size_t slot, row;
};

struct ranking {
	size_t k, size;			/* rows wanted; bytes of payload per rank */
	double alike;			/* maximum relative difference within a row; 0: one row each */
	void (*drop)(void *);		/* frees a payload; NULL: nothing to free */
	int64_t came;
	double worst;			/* larger keys cannot enter the ranking */
	size_t n, room, prune_at;
	struct rank *at;
	char *slots;
	size_t nspare, *spare;		/* unused slots */
	/* After ranking_finish(): rows, best first; index in AT of each row's simplest. */
	size_t nrows, *row;
};

struct ranking ranking_new(size_t k, double alike, size_t size, void (*drop)(void *));
/* Return a rank without its key. */
struct rank rank_of(const struct configuration *, double step_time, double lower_bound, bool fits);
/* Insert a rank; return the slot of its payload, or NULL if it is not among the best. */
void *ranking_offer(struct ranking *, const struct rank *);
void ranking_finish(struct ranking *);
/* Members of a row: number 0 is the simplest. */
size_t ranking_members(const struct ranking *, size_t row);
void *ranking_at(const struct ranking *, size_t row, size_t number);
void ranking_free(struct ranking *);	/* and the payloads */

/* Record in an estimate that the configuration NAME is alike. */
void ranking_tell(struct prediction *, const struct configuration *, const char *name);
/* Return ", and 3 alike with cp 2 to 8" or ""; caller frees. */
char *ranking_words(const struct prediction *);

#endif
