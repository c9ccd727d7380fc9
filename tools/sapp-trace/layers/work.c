#include "work.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

void
work_of(struct work *w, const struct item *items, size_t n, const struct sequence *s)
{
	*w = (struct work){ 0 };
	w->at = xcalloc(n, sizeof *w->at);
	for (size_t i = 0; i < n; i++) {
		unsigned roles = s->type[items[i].type].roles;

		if (roles & ROLE_TRANSFER)
			*APPEND(w->transfers.at, w->transfers.n) = w->n;
		if (!(roles & ROLE_COMMUNICATION) && !(items[i].flags & ITEM_ASIDE))
			w->at[w->n++] = &items[i];
	}
}

void
work_free(struct work *w)
{
	free(w->at);
	free(w->transfers.at);
	*w = (struct work){ 0 };
}

struct positions
positions_of(const struct work *w, const bool types[], unsigned flag, const bool taken[])
{
	struct positions p = { .at = xcalloc(w->n + 1, sizeof *p.at) };

	for (size_t i = 0; i < w->n; i++)
		if (types[w->at[i]->type] && (flag == 0 || (w->at[i]->flags & flag)) &&
		    (taken == NULL || !taken[i]))
			p.at[p.n++] = i;
	return p;
}

size_t
positions_first(const struct positions *p, size_t from)
{
	size_t i = COUNT_BEFORE(p->at, p->n, *it < from);

	return i < p->n ? p->at[i] : SIZE_MAX;
}

bool
positions_any(const struct positions *p, size_t from, size_t to)
{
	return positions_first(p, from) < to;
}

size_t
positions_last(const struct positions *p, size_t at)
{
	size_t n = COUNT_BEFORE(p->at, p->n, *it <= at);

	return n > 0 ? p->at[n - 1] + 1 : 0;
}

ORDER_BY(by_size, size_t, *it)

size_t
positions_period(const struct positions *p)
{
	size_t n = p->n > 0 ? p->n - 1 : 0, best = 0, most = 0;
	size_t *d = xcalloc(n, sizeof *d);

	for (size_t i = 0; i < n; i++)
		d[i] = p->at[i + 1] - p->at[i];
	SORT(d, n, by_size);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && d[j] == d[i]; j++)
			;
		if (j - i > most) {
			most = j - i;
			best = d[i];
		}
	}
	free(d);
	return best;
}

bool
work_transfer(const struct work *w, size_t from, size_t to)
{
	return positions_any(&w->transfers, from, to + 1);
}

size_t
work_first(const struct work *w, const struct sequence *s, size_t from, size_t to, unsigned roles)
{
	for (; from < to; from++)
		if (s->type[w->at[from]->type].roles & roles)
			return from;
	return to;
}

bool
work_role(const struct work *w, const struct sequence *s, size_t from, size_t to, unsigned roles)
{
	return work_first(w, s, from, to, roles) < to;
}
