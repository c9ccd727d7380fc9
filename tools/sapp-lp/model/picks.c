#include "picks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "tolerance.h"

static int
least(int a, int b)
{
	return a < b ? a : b;
}

void
picks_add(struct picks *l, struct pick new)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->at = xreallocarray(l->at, (size_t)l->room, sizeof *l->at);
	}
	new.source = l->sources;
	l->at[l->n++] = new;
}

static bool
faster(const struct pick *a, const struct pick *b)
{
	return a->backward < b->backward || (a->backward == b->backward && a->activation < b->activation);
}

static int
run_end(const struct picks *l, int from)
{
	int i = from + 1;

	while (i < l->n && !faster(&l->at[i], &l->at[i - 1]))
		i++;
	return least(i, l->n);
}

/* Sort picks, fastest first. Natural merge sort is fast, because picks come in a few sorted runs. */
static void
sort(struct picks *l)
{
	struct pick *to = xcalloc((size_t)l->n, sizeof *to);

	while (run_end(l, 0) < l->n) {
		struct pick *sorted = to;

		for (int n = 0; n < l->n; ) {
			int a = n, middle = run_end(l, n), b = middle, end = middle < l->n ? run_end(l, middle)
			    : middle;

			while (n < end)
				to[n++] = b == end || (a < middle && !faster(&l->at[b], &l->at[a])) ? l->at[a++]
				    : l->at[b++];
		}
		to = l->at;
		l->at = sorted;
	}
	l->room = l->n;
	free(to);
}

struct light {
	double activation, kept;
	int index;
};

ORDER_BY(lighter, struct light, it->activation, it->kept, it->index)

int
picks_light(int n, const struct pick *at, int *light)
{
	struct light *all;
	int remaining = 0, some = 0;
	bool differ = false;

	for (int i = 1; i < n && !differ; i++)
		differ = at[i].kept != at[0].kept;
	light[0] = 0;
	if (!differ)
		return 1;
	all = xcalloc((size_t)n, sizeof *all);
	for (int i = 0; i < n; i++)
		all[i] = (struct light){ at[i].activation, at[i].kept, i };
	SORT(all, n, lighter);
	for (int i = 0; i < n; i++)
		if (remaining == 0 || all[i].kept < all[remaining - 1].kept)
			all[remaining++] = all[i];
	for (int i = 0; i < remaining; i++)
		if (remaining <= PICKS_LIGHT || i == (int)((long)some * (remaining - 1) / (PICKS_LIGHT - 1)))
			light[some++] = all[i].index;
	free(all);
	return some;
}

/*
 * Keep the fastest pick in each of N equal parts of the range of activations. If memory for W differs, keep also the
 * lightest picks.
 */
static void
coarsen(struct picks *l, int n)
{
	double low = INFINITY, high = -INFINITY;
	struct pick *best = xcalloc((size_t)n + 1, sizeof *best);
	struct pick *lightest = xcalloc(PICKS_LIGHT, sizeof *lightest);
	int light[PICKS_LIGHT], lights = picks_light(l->n, l->at, light), remaining = 0;

	for (int i = 0; i < l->n; i++) {
		low = fmin(low, l->at[i].activation);
		high = fmax(high, l->at[i].activation);
	}
	for (int i = 0; i < lights; i++)
		lightest[i] = l->at[light[i]];
	for (int i = 0; i <= n; i++)
		best[i].backward = INFINITY;
	for (int i = 0; i < l->n; i++) {
		const struct pick *p = &l->at[i];
		/* The pick with the least activation is in a part of its own. */
		int at = p->activation > low ? least(1 + (int)((p->activation - low) / (high - low) * n), n) : 0;

		if (faster(p, &best[at]))
			best[at] = *p;
	}
	for (int i = 0; i <= n; i++)
		if (best[i].backward < INFINITY)
			l->at[remaining++] = best[i];
	if (l->room < remaining + lights) {
		l->room = remaining + lights;
		l->at = xreallocarray(l->at, (size_t)l->room, sizeof *l->at);
	}
	for (int i = 0; i < lights && lights > 1; i++)
		l->at[remaining++] = lightest[i];
	l->n = remaining;
	free(best);
	free(lightest);
}

/* Return whether X is at most THAN, allowing for the rounding of sums of size SUM. */
static bool
no_more(double x, double than, double sum)
{
	return x <= than + SAME_ACTIVATION * fabs(sum);
}

/*
 * Return whether none of the first N picks, which are not slower, is as good as P in activation memory, memory for W,
 * and both parts of the backward. Waiting for the link belongs to the part without weight gradients.
 */
static bool
stands_out(const struct picks *l, int n, const struct pick *p)
{
	for (int i = n; i-- > 0; ) {
		const struct pick *q = &l->at[i];

		if (no_more(q->activation, p->activation, p->activation) && no_more(q->kept, p->kept, p->kept) &&
		    no_more(q->gradient, p->gradient, p->backward) &&
		    no_more(q->backward - q->gradient, p->backward - p->gradient, p->backward) && (!l->waits ||
		    no_more(q->link - q->gradient, p->link - p->gradient, fabs(p->link) + p->gradient)))
			return false;
	}
	return true;
}

/* Return the pick with the least activation. */
static int
lowest(const struct picks *l)
{
	int at = 0;

	for (int i = 0; i < l->n; i++) {
		const struct pick *p = &l->at[i], *q = &l->at[at];

		if (p->activation < q->activation || (p->activation == q->activation && (p->link < q->link ||
		    (p->link == q->link && p->kept < q->kept))))
			at = i;
	}
	return at;
}

/* Keep MOST picks spread over all, including both ends. If memory for W differs, keep also the lightest picks. */
static void
thin(struct picks *l, int most)
{
	int light[PICKS_LIGHT], lights = picks_light(l->n, l->at, light), remaining = 0;
	bool *stays = xcalloc((size_t)l->n, sizeof *stays);

	for (int i = 0; i < most; i++)
		stays[(long)i * (l->n - 1) / (most - 1)] = true;
	for (int i = 0; i < lights; i++)
		stays[light[i]] = true;
	for (int i = 0; i < l->n; i++)
		if (stays[i])
			l->at[remaining++] = l->at[i];
	l->n = remaining;
	free(stays);
}

/*
 * Keep the undominated picks, sorted, with the pick of least activation last, and thin them to MOST. Return whether
 * undominated picks may be missing.
 *
 * Sums of the same terms in another order differ by rounding. So numbers within 1e-12 of each other count as equal,
 * except that the least activation is always kept. If only activation and whole backwards matter, each pick is compared
 * with one other pick.
 */
bool
picks_prune(struct picks *l, int most)
{
	bool thinned = l->n > 8 * most;
	double reached = INFINITY;
	struct pick last;
	int remaining = 0, least, at = -1;

	if (l->n == 0)
		return false;
	if (thinned)
		coarsen(l, 2 * most);
	sort(l);
	least = lowest(l);
	for (int i = 0; i < l->n; i++) {
		const struct pick *p = &l->at[i];

		if (i != least && reached < INFINITY && p->activation >= reached - SAME_ACTIVATION * fabs(reached) &&
		    !stands_out(l, remaining, p))
			continue;
		at = i == least ? remaining : at;
		reached = fmin(reached, p->activation);
		l->at[remaining++] = *p;
	}
	last = l->at[at];
	memmove(l->at + at, l->at + at + 1, (size_t)(remaining - 1 - at) * sizeof *l->at);
	l->at[remaining - 1] = last;
	l->n = remaining;
	if (remaining <= most)
		return thinned;
	thin(l, most);
	return true;
}
