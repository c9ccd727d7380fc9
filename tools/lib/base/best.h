/* The k least of many, kept while they pass by. */
#ifndef BEST_H
#define BEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of equal keys the one that came first is less. */
struct best {
	size_t room, n, size;		/* size: of what is kept with a key */
	int64_t came;
	struct best_key {
		double key;
		int64_t came;
		size_t slot;
	} *heap;			/* the largest on top */
	char *slots;
};

struct best best_new(size_t k, size_t size);
/*
 * Where to put what goes with KEY, or NULL when it is not among the k least. *OLD: what was there goes; it is kept as
 * it was.
 */
void *best_offer(struct best *, double key, bool *old);
/* The largest key that is kept, INFINITY before there are k. */
double best_worst(const struct best *);
/* Sort; then best_at() gives them from the least on. */
void best_sort(struct best *);
void *best_at(const struct best *, size_t i);
void best_free(struct best *);

#endif
