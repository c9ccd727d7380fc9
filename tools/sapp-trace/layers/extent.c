#include "extent.h"

/* Return the part of [from, to) after *END, the end of the time covered so far, and advance *END. */
static double
beyond(int64_t from, int64_t to, int64_t *end)
{
	if (from < *end)
		from = *end;
	if (to <= from)
		return 0;
	*end = to;
	return (double)(to - from);
}

struct extent
extent_of(const struct sequence *s, const struct item *items_end, const struct work *w, size_t from, size_t to,
    int64_t until, struct waits *waits)
{
	int64_t start = w->at[from]->start, work_end = start, any_end = start;
	struct extent x = { .wall = (double)(until - start) };
	double any = 0;

	waits_begin(waits, start);
	for (const struct item *i = w->at[from]; i < items_end && (i <= w->at[to - 1] || i->start < until); i++) {
		bool computes = !(s->type[i->type].roles & ROLE_COMMUNICATION);

		if (computes && !(i->flags & ITEM_ASIDE) && i > w->at[to - 1])
			break;
		if (computes && (i <= w->at[to - 1] || i->start < until)) {
			x.busy += beyond(i->start, i->end, &work_end);
			waits_kernel(waits, i->start, i->end);
		}
		if (i->start >= until)
			continue;
		if (!computes && !(s->type[i->type].roles & ROLE_TRANSFER))
			waits_call(waits, (struct wait){ .start = i->start, .end = i->end < until ? i->end : until,
			    .item = (size_t)(i - s->at) });
		any += beyond(i->start, i->end < until ? i->end : until, &any_end);
	}
	x.idle = x.wall > any ? x.wall - any : 0;
	return x;
}

int64_t
extent_next(const struct sequence *s, const struct item *items_end, const struct work *w, size_t from, size_t to,
    double longest)
{
	int64_t end = w->at[from]->end;

	for (size_t k = from; k < to; k++)
		if (w->at[k]->end > end)
			end = w->at[k]->end;
	for (const struct item *i = w->at[to - 1] + 1; i < items_end; i++)
		if (i->start >= end && (!(i->flags & ITEM_ASIDE) || (s->type[i->type].roles & ROLE_TRANSFER)))
			return (double)(i->start - end) <= longest ? i->start : end;
	return end;
}
