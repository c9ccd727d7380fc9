/*
 * Index: a hash table of numbers, those of the elements of an array by what they hold. An element is looked for among
 * those of its hash (lib/base/hash.h), which the caller compares.
 */
#ifndef INDEX_H
#define INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_place {
	uint64_t hash;
	int number;		/* + 1; 0: free */
};

struct index {			/* empty: all zero */
	size_t n, places;	/* 0, or a power of two that is 2 * n or more: open addressing, linear probing */
	struct index_place *at;
};

/* A number of that hash; call with *TRIES 0, then again with what it left there for the next. -1: there are no more. */
static inline int
index_next(const struct index *x, uint64_t hash, size_t *tries)
{
	while (x->places > 0) {
		const struct index_place *place = &x->at[(hash + (*tries)++) & (x->places - 1)];

		if (place->number == 0)
			break;
		if (place->hash == hash)
			return place->number - 1;
	}
	return -1;
}

void index_add(struct index *, uint64_t hash, int number);
void index_free(struct index *);	/* it is empty then */

#endif
