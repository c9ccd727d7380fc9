/*
 * A hash table that finds the number of an element of an array from its contents. The caller compares the elements that
 * have the same hash (lib/base/hash.h).
 */
#ifndef INDEX_H
#define INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_place {
	uint64_t hash;
	int number;		/* 1 + number of the element; 0: the place is free */
};

struct index {			/* empty if all bytes are zero */
	/*
	 * number of elements; number of places, 0 or a power of two of at least 2 * n: open addressing, linear probing
	 */
	size_t n, places;
	struct index_place *at;
};

/*
 * Return the number of the next element with this hash, or -1 after the last. *TRIES is 0 for the first call; pass it
 * on unchanged.
 */
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
void index_free(struct index *);	/* leaves the table empty */

#endif
