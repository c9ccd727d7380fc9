#include "account.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/sorted.h"
#include "sapp-trace/read/event.h"

static const double ns_per_ms = 1e6;
static const double tolerance = 0.02, too_much = 0.10;	/* fractions of the step: for a warning, for an error */

struct account_span {		/* interval of time, ns */
	int64_t start, end;
};

struct intervals {
	size_t n;
	struct account_span *at;
};

ORDER_BY(by_start, struct account_span, it->start, it->end)

/* Sort intervals, and join intervals that touch. */
static void
unite(struct intervals *x)
{
	size_t to = 0;

	SORT(x->at, x->n, by_start);
	for (size_t i = 0; i < x->n; i++)
		if (to > 0 && x->at[i].start <= x->at[to - 1].end)
			x->at[to - 1].end = x->at[i].end > x->at[to - 1].end ? x->at[i].end : x->at[to - 1].end;
		else
			x->at[to++] = x->at[i];
	x->n = to;
}

/* Return the ms of X that Y does not cover. In both, intervals are disjoint and sorted. ADD: add X to Y. */
static double
beyond(const struct intervals *x, struct intervals *y, bool add)
{
	double time = 0;

	for (size_t i = 0, k = 0; i < x->n; i++) {
		int64_t from = x->at[i].start, end = x->at[i].end;

		while (k < y->n && y->at[k].end <= from)
			k++;
		for (size_t j = k; j < y->n && y->at[j].start < end; j++) {
			if (y->at[j].start > from)
				time += (double)(y->at[j].start - from);
			from = y->at[j].end > from ? y->at[j].end : from;
		}
		if (end > from)
			time += (double)(end - from);
	}
	for (size_t i = 0; add && i < x->n; i++)
		*APPEND(y->at, y->n) = x->at[i];
	if (add)
		unite(y);
	return time / ns_per_ms;
}

struct account
account_of(const struct sequence *s, const struct layout *l, int number, double step)
{
	struct account a = { 0 };
	struct intervals pieces = { 0 }, kernels = { 0 }, outside = { 0 }, transfers = { 0 }, collectives = { 0 };
	size_t first = COUNT_BEFORE(s->at, s->n, it->step < number);
	int64_t begin = INT64_MAX, end = INT64_MIN;
	double covered;

	for (size_t i = 0; i < l->n; i++) {
		const struct piece *p = &l->at[i];

		if (p->step != number)
			continue;
		*APPEND(pieces.at, pieces.n) = (struct account_span){ p->start, p->start + (int64_t)p->wall };
		*(p->part == LAYER_BODY ? &a.layers : &a.ends) += p->wall / ns_per_ms;
	}
	for (size_t i = first; i < s->n && s->at[i].step == number; i++) {
		const struct item *x = &s->at[i];
		unsigned roles = s->type[x->type].roles;
		struct intervals *to = roles & ROLE_TRANSFER ? &transfers : roles & ROLE_COMMUNICATION ? &collectives :
		    x->end <= l->begin[number] || x->start >= l->end[number] ? &outside : &kernels;

		*APPEND(to->at, to->n) = (struct account_span){ x->start, x->end };
		begin = x->start < begin ? x->start : begin;
		end = x->end > end ? x->end : end;
	}
	unite(&pieces);
	unite(&kernels);
	unite(&outside);
	unite(&transfers);
	unite(&collectives);
	/* Transfers count while no kernel runs, also within the time of a layer. */
	a.transfers = l->parts ? beyond(&transfers, &pieces, false) : beyond(&transfers, &kernels, false);
	a.missing = beyond(&kernels, &pieces, true);
	a.outside = beyond(&outside, &pieces, true);
	beyond(&transfers, &pieces, true);
	a.collectives = beyond(&collectives, &pieces, true);
	covered = beyond(&pieces, &(struct intervals){ 0 }, false);
	/* If the step is from the host, kernels may end after it. */
	a.step = fmax(step, (double)(end - begin) / ns_per_ms);
	a.idle = fmax(a.step - covered, 0);
	free(pieces.at);
	free(kernels.at);
	free(outside.at);
	free(transfers.at);
	free(collectives.at);
	return a;
}

/* Return a text such as "101.9 ms = layers 92.6 + ..."; caller frees. */
static char *
text_of(const struct account *a)
{
	return xasprintf("%.6g ms = layers %.6g + embedding and loss %.6g + transfers %.6g + collectives %.6g + "
	    "outside the pipeline %.6g + idle %.6g + in no record %.6g", a->step, a->layers, a->ends, a->transfers,
	    a->collectives, a->outside, a->idle, a->missing);
}

void
account_check(const struct account *a, bool repeats, const char *source)
{
	double sum = a->layers + a->ends + a->transfers + a->collectives + a->outside + a->idle + a->missing;
	struct place at = { .source = source };
	char *text = text_of(a);

	if (option_verbose)
		place_say(at, "step: %s", text);
	if (a->missing >= (repeats ? too_much : INFINITY) * a->step)
		place_die(at, "kernels of %.3g %% of the step belong to no layer, embedding or loss: %s",
		    100 * a->missing / a->step, text);
	if (a->missing >= tolerance * a->step)
		place_warn(at, "kernels of %.3g %% of the step belong to no layer, embedding or loss: %s",
		    100 * a->missing / a->step, text);
	if (fabs(sum - a->step) >= tolerance * a->step)
		place_warn(at, "the parts of the step add up to %.6g ms: %s", sum, text);
	free(text);
}
