/* Ends: the model's head and tail, and the number of their runs. */
#include "ends.h"

#include <stdlib.h>

static bool
role(const struct step_work *s, size_t k, unsigned roles)
{
	return (s->sequence->type[s->work.at[k]->type].roles & roles) != 0;
}

/* Return the first kernel in [from, to) that has one of the ROLES; TO: none. */
static size_t
first(const struct step_work *s, size_t from, size_t to, unsigned roles)
{
	return work_first(&s->work, s->sequence, from, to, roles);
}

size_t
head_start(const struct step_work *s, size_t b, int stage)
{
	size_t from = b > 0 ? s->rows.at[b - 1].end : 0, to = s->rows.at[b].start[0], k;
	size_t transfer = positions_last(&s->work.transfers, to);

	/* Begin after the previous row and its transfers. */
	if (transfer > from)
		from = transfer - 1;
	if (stage > 0)
		return SIZE_MAX;
	if ((k = first(s, from, to, ROLE_EMBEDDING)) < to)
		return k;
	if (stage != 0)
		return SIZE_MAX;
	return from < to ? from : SIZE_MAX;
}

size_t
head_limit(const struct step_work *s, size_t b)
{
	const struct work *w = &s->work;
	size_t from = s->rows.at[b].end, to = w->n, transfer;

	if (b + 1 < s->rows.n)
		to = first(s, from, s->rows.at[b + 1].start[0], ROLE_EMBEDDING);
	transfer = positions_first(&w->transfers, from);
	to = transfer < to ? transfer : to;
	return first(s, from, to, ROLE_OPTIMIZER);
}

/*
 * Return the first kernel of the backward, between the last layer's forward and its backward. It is the first kernel
 * that a backward thread launches. Otherwise it is the kernel that fills ones, the gradient of the loss. Otherwise it
 * is the first gradient, or the second matrix product, because the first product is the output's.
 */
static size_t
tail_split(const struct step_work *s, size_t from, size_t to)
{
	const struct work *w = &s->work;
	size_t second = first(s, from, to, ROLE_MATMUL), split = to;

	for (size_t k = from; k < to; k++)
		if (w->at[k]->flags & ITEM_BACKWARD)
			return k;
	if (second < to)
		second = first(s, second + 1, to, ROLE_MATMUL);
	for (size_t k = from; k < to && !role(s, k, ROLE_GRADIENT); k++)
		if (role(s, k, ROLE_ONES))
			split = k;
	if (split < to)
		return split;
	if (first(s, from, second, ROLE_GRADIENT) < second)
		return first(s, from, second, ROLE_GRADIENT);
	return second < to ? second : from + (to - from) / 2;
}

static bool
product_within(const struct step_work *s, size_t from, size_t to)
{
	return work_role(&s->work, s->sequence, from, to, ROLE_MATMUL);
}

bool
tail_of(const struct step_work *s, size_t r, int last, struct tail *t)
{
	const struct layer_row *x = &s->rows.at[r], *next = r + 1 < s->rows.n ? x + 1 : NULL;
	size_t at;

	if (last == 0)
		return false;
	if (x->backward) {
		size_t from = r > 0 ? x[-1].end : 0;

		*t = (struct tail){ from, from, x->start[0] };
		at = positions_last(&s->work.transfers, t->to);
		if (r == 0 || (at <= from && !x[-1].backward))
			return false;
		/* Begin after the end of the previous backward. */
		for (size_t k = from; at <= from && k < t->to; k++)
			if (role(s, k, ROLE_EMBEDDING_GRADIENT))
				at = k + 2;
		if (at <= from)
			return false;
		t->from = t->split = at - 1;
	} else if (next == NULL) {
		return false;
	} else {
		*t = (struct tail){ x->end, 0, next->start[0] };
		at = positions_first(&s->work.transfers, t->from);
		if (at > t->to && !next->backward)
			at = first(s, t->from, t->to, ROLE_EMBEDDING);
		if (at > t->to) {
			t->split = tail_split(s, t->from, t->to);
			return t->from < t->to && (last == 1 || product_within(s, t->from, t->to));
		}
		t->split = t->to = at;
	}
	/*
	 * All forwards precede the backwards, or the stage has several chunks: only the last chunk has the model's
	 * output.
	 */
	return t->from < t->to && product_within(s, t->from, t->to);
}

int
micro_by_ends(const struct step_work *s, int stage, int stages)
{
	int heads = 0, tails[2] = { 0, 0 }, last = stage >= 0 ? stage == stages - 1 : -1;
	struct tail t;

	for (size_t r = 0; r < s->rows.n; r++) {
		bool backward = s->rows.at[r].backward;

		heads += !backward && head_start(s, r, stage) != SIZE_MAX;
		if (!tail_of(s, r, last, &t))
			continue;
		tails[backward]++;
		tails[1] += !backward && t.split < t.to;
	}
	/* Kernels that are not a tail occur in different numbers before backwards and after forwards. */
	return heads > 0 ? heads : tails[0] == tails[1] || last == 1 ? tails[0] : 0;
}

int
micro_by_warm_up(const struct layer_rows *b, int stage, int stages)
{
	int forwards = 0, warm = 0, chunks;

	while ((size_t)warm < b->n && !b->at[warm].backward)
		warm++;
	for (size_t r = 0; r < b->n; r++)
		forwards += !b->at[r].backward;
	if (stage < 0 || stages <= 0 || (size_t)warm == b->n)
		return 0;
	if (warm == stages - stage || (warm == forwards && warm < stages - stage))
		return forwards;
	chunks = warm - 1 - 2 * (stages - stage - 1);
	if (warm == forwards || chunks <= 0 || chunks % stages != 0)
		return 0;
	chunks = chunks / stages + 1;
	return forwards % chunks == 0 ? forwards / chunks : 0;
}
