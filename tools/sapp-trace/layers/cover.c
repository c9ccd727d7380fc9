#include "cover.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "span.h"

enum { COVERS_KEPT = 128 << 10 };
static const int64_t widest_gap = INT64_C(1000000000);	/* ns */

ORDER_BY(cover_order, struct cover, it->process, it->start)

void
covers_join(struct covers *c, int64_t gap)
{
	size_t to = 0;

	if (c->n == 0)
		return;
	SORT(c->at, c->n, cover_order);
	for (size_t i = 1; i < c->n; i++) {
		struct cover *last = &c->at[to], *x = &c->at[i];

		if (x->process != last->process || x->start > last->end + gap) {
			c->at[++to] = *x;
			continue;
		}
		if (x->end > last->end)
			last->end = x->end;
		if (x->depth < last->depth)
			last->depth = x->depth;
	}
	c->n = to + 1;
}

void
covers_add(struct covers *c, struct cover x)
{
	if (c->n == c->room) {
		for (int64_t gap = 0; c->n >= COVERS_KEPT / 2 && gap < widest_gap; gap = gap ? 10 * gap : 100)
			covers_join(c, gap);
		if (c->n >= c->room / 2) {
			c->room = c->room ? 2 * c->room : 1024;
			c->at = xreallocarray(c->at, c->room, sizeof *c->at);
		}
	}
	c->at[c->n++] = x;
}

/* Return the index of the first cover of PROCESS that ends after NS. */
static size_t
first_after(const struct covers *c, int process, int64_t ns)
{
	return COUNT_BEFORE(c->at, c->n, it->process < process || (it->process == process && it->end <= ns));
}

bool
covers_hold(const struct covers *c, const struct cover *x)
{
	int64_t middle = x->start + (x->end - x->start) / 2;
	size_t i = first_after(c, x->process, middle);

	return i < c->n && c->at[i].process == x->process && c->at[i].start <= middle &&
	    x->depth > c->at[i].depth;
}

int64_t
covers_take(const struct covers *c, const struct cover *x)
{
	int64_t taken = 0;

	for (size_t i = first_after(c, x->process, x->start); i < c->n; i++) {
		const struct cover *y = &c->at[i];

		if (y->process != x->process || y->start >= x->end)
			break;
		if (y->depth <= x->depth)
			taken += span_common(y->start, y->end, x->start, x->end);
	}
	return taken;
}
