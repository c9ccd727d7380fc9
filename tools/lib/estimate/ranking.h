/*
 * The k best of a sequence of configurations. Configurations with equal estimates share a row. A row has its simplest
 * configuration, and a list of the remaining ones.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/configuration.h"
#include "lib/record/prediction.h"

#define RANKING_ALIKE 0.0005		/* default of alike */

struct rank {
	double key;			/* smaller is better; of equal keys, the first to arrive is better */
	double step_time, lower_bound;
	bool fits;
	int simple[5];			/* cp, tp, pp, vp, mbs, compared in this order; smaller is simpler */
	int64_t came;
	size_t slot, row;
};

struct ranking {
	size_t k, size;			/* number of rows wanted; bytes of payload per configuration */
	double alike;	/* maximum relative difference of estimates in a row; 0: one row for each configuration */
	void (*drop)(void *);		/* frees the members of a payload; NULL: payloads own nothing */
	int64_t came;
	double worst;			/* configurations with larger keys cannot be among the best */
	size_t n, room, prune_at;
	struct rank *at;
	char *slots;
	size_t nspare, *spare;		/* unused slots */
	/* After ranking_finish(): number of rows, best first; index in AT of the simplest configuration of each row. */
	size_t nrows, *row;
};

struct ranking ranking_new(size_t k, double alike, size_t size, void (*drop)(void *));
/* Return the rank of a configuration, without its key. */
struct rank rank_of(const struct configuration *, double step_time, double lower_bound, bool fits);
/* Insert a rank. Return the slot for its payload, or NULL if it is not among the best. */
void *ranking_offer(struct ranking *, const struct rank *);
void ranking_finish(struct ranking *);
/*
 * Return the number of configurations in a row. Return the payload of configuration NUMBER in a row, where 0 is the
 * simplest.
 */
size_t ranking_members(const struct ranking *, size_t row);
void *ranking_at(const struct ranking *, size_t row, size_t number);
void ranking_free(struct ranking *);	/* frees the payloads also */

/* Add the configuration NAME to the list of configurations that the estimate represents. */
void ranking_tell(struct prediction *, const struct configuration *, const char *name);
/* Return words such as ", and 3 alike with cp 2 to 8", or "". Caller frees. */
char *ranking_words(const struct prediction *);

#endif
