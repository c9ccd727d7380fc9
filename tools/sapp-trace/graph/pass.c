/* Passes: kernels of one layer and phase that ran in a row. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-trace/time/span.h"

enum { PASSES_KEPT = 512 << 10, PHASES = TIMING_RECOMPUTE + 1 };
enum { AT_ONCE = 200 };	/* a gap of less than this part of the time before it */

static void
give_up(struct passes *p)
{
	free(p->at);
	p->at = NULL;
	p->n = p->room = 0;
	p->useless = true;
}

void
pass_kernel(struct passes *p, int instance, int phase, int64_t start, int64_t end)
{
	uint32_t key = (uint32_t)instance * PHASES + (uint32_t)phase;
	struct pass *last;

	if (p->useless)
		return;
	if (p->n > 0 && start < p->latest) {
		give_up(p);
		return;
	}
	p->latest = start;
	if (instance < 0) {
		p->open = false;
		return;
	}
	last = p->n > 0 ? &p->at[p->n - 1] : NULL;
	/* A kernel of something else on another stream is no end, where the layer goes on at once. */
	if (last != NULL && last->key == key &&
	    (p->open || start - last->end <= (last->end - last->start) / AT_ONCE)) {
		p->open = true;
		if (end > last->end)
			last->end = end;
		return;
	}
	if (p->n == PASSES_KEPT) {
		give_up(p);
		return;
	}
	if (p->n == p->room) {
		p->room = p->room ? 2 * p->room : 1024;
		p->at = xreallocarray(p->at, p->room, sizeof *p->at);
	}
	p->open = true;
	p->at[p->n++] = (struct pass){ start, end, key };
}

static int
pass_order(const void *a, const void *b)
{
	const struct pass *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

void
passes_sort(struct passes *p)
{
	if (p->n > 0)
		qsort(p->at, p->n, sizeof *p->at, pass_order);
}

bool
pass_share(const struct passes *p, const struct instances *instances, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n)
{
	int instance;
	uint32_t key;
	size_t low = 0, high;

	*ns = *n = 0;
	if (p == NULL || p->n == 0 || (instance = instance_find(instances, component, p->process)) < 0)
		return false;
	key = (uint32_t)instance * PHASES + (uint32_t)phase;
	high = p->n;
	while (low < high) {
		size_t half = low + (high - low) / 2;
		const struct pass *x = &p->at[half];

		if (x->key < key || (x->key == key && x->end <= from))
			low = half + 1;
		else
			high = half;
	}
	for (; low < p->n && p->at[low].key == key && p->at[low].start < to; low++, ++*n)
		*ns += (double)span_common(p->at[low].start, p->at[low].end, from, to);
	return *n > 0;
}

void
passes_free(struct passes *p)
{
	free(p->at);
	*p = (struct passes){ 0 };
}
