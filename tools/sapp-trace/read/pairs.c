#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"

static bool
same_text(struct text a, struct text b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

bool
pairs_take(struct pairs *p, struct event *e, const struct scan *s)
{
	struct clipped duration;
	struct event whole;
	int64_t from, to;
	size_t i = p->n;

	if (e->ph == 'B') {
		*APPEND(p->at, p->n) = *e;
		event_own(&p->at[p->n - 1]);
		return false;
	}
	if (e->ph != 'E')
		return true;
	while (i > 0 && !(same_text(p->at[i - 1].pid, e->pid) && same_text(p->at[i - 1].tid, e->tid) &&
	    (e->name.n == 0 || same_text(p->at[i - 1].name, e->name))))
		i--;
	if (i == 0) {
		p->alone++;
		return false;
	}
	event_disown(&p->last);
	whole = p->last = p->at[--i];
	p->n--;
	memmove(&p->at[i], &p->at[i + 1], (p->n - i) * sizeof *p->at);
	from = event_start(&whole, s);
	to = event_start(e, s);
	if (to < from) {
		p->alone++;
		return false;
	}
	duration = CLIPPED(p->dur);
	clipped_print(&duration, "%lld.%03lld", (long long)(to - from) / 1000, (long long)(to - from) % 1000);
	whole.dur = (struct text){ p->dur, duration.n };
	whole.ph = 'X';
	*e = whole;
	return true;
}

void
pairs_free(struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++)
		event_disown(&p->at[i]);
	event_disown(&p->last);
	free(p->at);
	*p = (struct pairs){ 0 };
}
