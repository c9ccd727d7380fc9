#include "parts.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

enum { PART_KERNELS = 12 };	/* maximum number of kernels between parts of an attention */
static const size_t parts = 4;	/* minimum ratio of the distance between layers to the distance between parts */

/*
 * Return the most common distance between neighbours in P that neither the other phase nor a transfer separates; 0:
 * none.
 */
static size_t
undivided(const struct positions *p, const struct positions *other, const struct work *w)
{
	struct positions q = { .at = xcalloc(p->n + 1, sizeof *q.at) };
	size_t period;

	/* Make positions with exactly these distances. */
	q.n = 1;
	for (size_t i = 1; i < p->n; i++)
		if (!positions_any(other, p->at[i - 1], p->at[i]) && !work_transfer(w, p->at[i - 1] + 1, p->at[i])) {
			q.at[q.n] = q.at[q.n - 1] + p->at[i] - p->at[i - 1];
			q.n++;
		}
	period = positions_period(&q);
	free(q.at);
	return period;
}

bool
parts_join(struct positions *p, const struct positions *other, struct work *w, const struct sequence *s)
{
	size_t usual = undivided(p, other, w), n = p->n, to = n > 0, transfers = 0, last = n > 0 ? p->at[0] : 0;
	bool *inside = xcalloc(w->n + 2, sizeof *inside);

	for (size_t i = 1; i < p->n; i++) {
		size_t at = p->at[i], apart = at - last;

		if (apart <= PART_KERNELS && parts * apart <= usual && work_transfer(w, last + 1, at) &&
		    !work_role(w, s, last + 1, at, ROLE_MATMUL)) {
			for (size_t k = last + 1; k <= at; k++)
				inside[k] = true;
		} else {
			p->at[to++] = at;
		}
		last = at;
	}
	p->n = to;
	for (size_t i = 0; i < w->transfers.n; i++)
		if (!inside[w->transfers.at[i]])
			w->transfers.at[transfers++] = w->transfers.at[i];
	w->transfers.n = transfers;
	free(inside);
	return to < n;
}
