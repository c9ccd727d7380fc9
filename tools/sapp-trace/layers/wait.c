#include "wait.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "span.h"

/*
 * Maximum ratio of the times of similar collectives. They differ a little, because links are shared and ranks wait for
 * one another.
 */
static const double differ = 1.5;

void
waits_begin(struct waits *w, int64_t start)
{
	w->open = w->n;
	w->kernels = w->all = start;
}

void
waits_kernel(struct waits *w, int64_t start, int64_t end)
{
	int64_t from = start > w->kernels ? start : w->kernels;

	for (size_t i = w->open; i < w->n && end > from; i++) {
		int64_t both = span_common(w->at[i].start, w->at[i].end, from, end);

		if (both > 0)
			w->at[i].alone = fmax(w->at[i].alone - (double)both, 0);
	}
	w->kernels = end > w->kernels ? end : w->kernels;
	w->all = end > w->all ? end : w->all;
}

void
waits_call(struct waits *w, struct wait x)
{
	int64_t from = x.start > w->all ? x.start : w->all;

	x.alone = x.end > from ? (double)(x.end - from) : 0;
	x.place = (int)(w->n - w->open);
	w->all = x.end > w->all ? x.end : w->all;
	*APPEND(w->at, w->n) = x;
}

ORDER_BY(by_call, struct wait, it->call)
ORDER_BY(by_likeness, struct wait, it->like, -it->bytes)

void
waits_resolve(struct waits *w)
{
	/* The last rank to join a collective did not wait. */
	SORT(w->at, w->n, by_call);
	for (size_t i = 0, j; i < w->n; i = j) {
		double least = INFINITY;

		for (j = i; j < w->n && w->at[j].call == w->at[i].call; j++)
			least = fmin(least, w->at[j].work > 0 ? w->at[j].work : w->at[j].time);
		for (size_t k = i; k < j; k++)
			w->at[k].work = least;
	}
	/* A collective of fewer bytes takes no longer than one of more bytes. */
	SORT(w->at, w->n, by_likeness);
	for (size_t i = 0, j; i < w->n; i = j) {
		double least = INFINITY;

		for (j = i; j < w->n && w->at[j].like == w->at[i].like; ) {
			size_t same = j;

			for (; same < w->n && by_likeness(&w->at[same], &w->at[j]) == 0; same++)
				least = fmin(least, w->at[same].work);
			for (; j < same; j++)
				w->at[j].work = least;
		}
	}
}

double
wait_time(const struct wait *w)
{
	return w->time > differ * w->work ? fmin(w->time - w->work, w->alone) : 0;
}

void
waits_free(struct waits *w)
{
	free(w->at);
	*w = (struct waits){ 0 };
}
