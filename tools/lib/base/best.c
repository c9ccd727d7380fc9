/* The k least of many: a heap with the largest on top. */
#include "best.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"

struct best
best_new(size_t k, size_t size)
{
	return (struct best){ .room = k, .size = size };
}

static bool
above(const struct best_key *a, const struct best_key *b)
{
	return a->key > b->key || (a->key == b->key && a->came > b->came);
}

static void
swap(struct best_key *a, struct best_key *b)
{
	struct best_key t = *a;

	*a = *b;
	*b = t;
}

static void
sink(struct best *b, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < b->n; i = child) {
		if (child + 1 < b->n && above(&b->heap[child + 1], &b->heap[child]))
			child++;
		if (!above(&b->heap[child], &b->heap[i]))
			return;
		swap(&b->heap[child], &b->heap[i]);
	}
}

static void
rise(struct best *b, size_t i)
{
	for (; i > 0 && above(&b->heap[i], &b->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&b->heap[i], &b->heap[(i - 1) / 2]);
}

double
best_worst(const struct best *b)
{
	return b->n < b->room ? INFINITY : b->heap[0].key;
}

void *
best_offer(struct best *b, double key, bool *old)
{
	struct best_key k = { .key = key, .came = b->came++ };

	*old = false;
	if (b->n < b->room) {
		if ((b->n & (b->n - 1)) == 0) {
			size_t room = b->n == 0 ? 1 : 2 * b->n;

			b->heap = xreallocarray(b->heap, room, sizeof *b->heap);
			b->slots = xreallocarray(b->slots, room, b->size);
		}
		k.slot = b->n;
		b->heap[b->n++] = k;
		rise(b, b->n - 1);
		return b->slots + k.slot * b->size;
	}
	if (b->n == 0 || !above(&b->heap[0], &k))
		return NULL;
	*old = true;
	k.slot = b->heap[0].slot;
	b->heap[0] = k;
	sink(b, 0);
	return b->slots + k.slot * b->size;
}

static int
compare(const void *a, const void *b)
{
	return above(a, b) ? 1 : -1;
}

void
best_sort(struct best *b)
{
	if (b->n > 0)
		qsort(b->heap, b->n, sizeof *b->heap, compare);
}

void *
best_at(const struct best *b, size_t i)
{
	return b->slots + b->heap[i].slot * b->size;
}

void
best_free(struct best *b)
{
	free(b->heap);
	free(b->slots);
	*b = (struct best){ 0 };
}
