/*
 * The k best of many configurations, kept while they pass by. Those whose estimates agree are one row: the simplest is
 * kept, and which were alike.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/configuration.h"
#include "lib/record/prediction.h"

#define RANKING_ALIKE 0.0005		/* unless it is asked for otherwise */

struct rank {
	double key;			/* the least is the best; of equal ones that which came first */
	double step_time, lower_bound;
	bool fits;
	int simple[5];			/* cp, tp, pp, vp, mbs: simpler where the first that differs is less */
	int64_t came;
	size_t slot, row;
};

struct ranking {
	size_t k, size;			/* rows wanted; bytes of what is kept with a rank */
	double alike;			/* fraction within which the figures of a row are; 0: a row each */
	void (*drop)(void *);		/* frees what is kept; NULL: nothing is to be freed */
	int64_t came;
	double worst;			/* nothing above it is of use */
	size_t n, room, prune_at;
	struct rank *at;
	char *slots;
	size_t nspare, *spare;		/* slots that are free again */
	/* After ranking_finish(): rows, from the best on; where in AT each begins, with its simplest. */
	size_t nrows, *row;
};

struct ranking ranking_new(size_t k, double alike, size_t size, void (*drop)(void *));
/* A rank without its key. */
struct rank rank_of(const struct configuration *, double step_time, double lower_bound, bool fits);
/* Where to put what goes with it, or NULL when it is not among the best. */
void *ranking_offer(struct ranking *, const struct rank *);
void ranking_finish(struct ranking *);
/* What is kept of a row: number 0 the simplest, then the others. */
size_t ranking_members(const struct ranking *, size_t row);
void *ranking_at(const struct ranking *, size_t row, size_t number);
void ranking_free(struct ranking *);	/* and what is kept */

/* Say in an estimate that a configuration of this name is alike. */
void ranking_tell(struct prediction *, const struct configuration *, const char *name);
/* ", and 3 alike with cp 2 to 8", or nothing; to be freed. */
char *ranking_words(const struct prediction *);

#endif
