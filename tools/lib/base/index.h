/*
 * Index: a hash table from the contents of an array's elements to their numbers. The caller compares the elements of
 * equal hash (lib/base/hash.h).
 */
#ifndef INDEX_H
#define INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_place {
	uint64_t hash;
	int number;		/* 1 + the element's number; 0: a free place */
};

struct index {			/* all zero: empty */
	size_t n, places;	/* 0 or a power of two, at least 2 * n: open addressing, linear probing */
	struct index_place *at;
};

/* Return the next number with that hash, -1 after the last. Start with *TRIES 0 and pass it on unchanged. */
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
void index_free(struct index *);	/* leaves it empty */

#endif
