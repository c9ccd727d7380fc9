/* Ends: the model's head and tail, and how often they run. */
#include "ends.h"

#include <stdlib.h>

static bool
role(const struct step_work *s, size_t k, unsigned roles)
{
	return (s->sequence->type[s->work.at[k]->type].roles & roles) != 0;
}

/* Behind row B and the transfers after it, in front of the next row: kernels [*from, *to). */
static void
gap_before(const struct step_work *s, size_t b, size_t *from, size_t *to)
{
	*from = b > 0 ? s->rows.at[b - 1].end : 0;
	*to = s->rows.at[b].start[0];
	for (size_t i = 0; i < s->work.ntransfers; i++)
		if (s->work.transfer[i] > *from && s->work.transfer[i] <= *to)
			*from = s->work.transfer[i];
}

size_t
head_start(const struct step_work *s, size_t b, int stage)
{
	size_t from, to;

	gap_before(s, b, &from, &to);
	if (stage > 0)
		return SIZE_MAX;
	for (size_t k = from; k < to; k++)
		if (role(s, k, ROLE_EMBEDDING))
			return k;
	if (stage != 0)
		return SIZE_MAX;
	while (from < to && role(s, from, ROLE_ZEROS | ROLE_OPTIMIZER))
		from++;
	return from < to ? from : SIZE_MAX;
}

size_t
head_limit(const struct step_work *s, size_t b)
{
	const struct work *w = &s->work;
	size_t from = s->rows.at[b].end, to = w->n;

	if (b + 1 < s->rows.n) {
		to = s->rows.at[b + 1].start[0];
		for (size_t k = from; k < to; k++)
			if (role(s, k, ROLE_EMBEDDING))
				to = k;
	}
	for (size_t i = 0; i < w->ntransfers; i++)
		if (w->transfer[i] >= from && w->transfer[i] < to)
			to = w->transfer[i];
	/* Of a step's last micro-batch, the optimizer follows. */
	for (const struct item *x = from > 0 ? w->at[from - 1] + 1 : s->items; x < s->items + s->n; x++)
		if (s->sequence->type[x->type].roles & ROLE_COMMUNICATION) {
			size_t k = from;

			while (k < to && w->at[k] < x)
				k++;
			to = k;
			break;
		}
	for (size_t k = from; k < to; k++)
		if (role(s, k, ROLE_OPTIMIZER))
			to = k;
	return to;
}

/*
 * Where between the last forward layer and the first backward one the backward begins: with what another thread
 * launched; with the ones that a loss's gradient is; else with the second product, the first being the output's.
 */
static size_t
tail_split(const struct step_work *s, size_t from, size_t to)
{
	const struct work *w = &s->work;
	size_t products = 0, second = to, split = to;

	for (size_t k = from; k < to; k++)
		if (w->at[k]->flags & ITEM_BACKWARD)
			return k;
	for (size_t k = from; k < to && products < 2; k++)
		if (role(s, k, ROLE_MATMUL) && ++products == 2)
			second = k;
	for (size_t k = from; k < second; k++)
		if (role(s, k, ROLE_ONES))
			split = k;
	if (split < to)
		return split;
	for (size_t k = from; k < to && !role(s, k, ROLE_GRADIENT); k++)
		if (role(s, k, ROLE_ONES))
			split = k;
	if (split < to)
		return split;
	for (size_t k = from; k < second; k++)
		if (role(s, k, ROLE_GRADIENT))
			return k;
	return second < to ? second : from + (to - from) / 2;
}


/* The first transfer at a kernel in [from, to], as the number of the kernel it is in front of; SIZE_MAX: none. */
static size_t
transfer_from(const struct work *w, size_t from, size_t to)
{
	for (size_t i = 0; i < w->ntransfers; i++)
		if (w->transfer[i] >= from && w->transfer[i] <= to)
			return w->transfer[i];
	return SIZE_MAX;
}

static size_t
transfer_to(const struct work *w, size_t from, size_t to)
{
	for (size_t i = w->ntransfers; i-- > 0;)
		if (w->transfer[i] >= from && w->transfer[i] <= to)
			return w->transfer[i];
	return SIZE_MAX;
}

static bool
product_within(const struct step_work *s, size_t from, size_t to)
{
	for (size_t k = from; k < to; k++)
		if (role(s, k, ROLE_MATMUL))
			return true;
	return false;
}

bool
tail_of(const struct step_work *s, size_t r, int last, struct tail *t)
{
	const struct row *x = &s->rows.at[r], *next = r + 1 < s->rows.n ? x + 1 : NULL;
	size_t at;

	if (last == 0)
		return false;
	if (x->backward) {
		size_t from = r > 0 ? x[-1].end : 0;

		*t = (struct tail){ from, from, x->start[0] };
		at = transfer_to(&s->work, from, t->to);
		if (r == 0 || at == SIZE_MAX)
			return false;
		t->from = t->split = at;
	} else if (next == NULL) {
		return false;
	} else {
		*t = (struct tail){ x->end, 0, next->start[0] };
		at = transfer_from(&s->work, t->from, t->to);
		if (at == SIZE_MAX && !next->backward)
			return false;
		if (at == SIZE_MAX) {
			t->split = tail_split(s, t->from, t->to);
			return t->from < t->to && (last == 1 || product_within(s, t->from, t->to));
		}
		t->split = t->to = at;
	}
	/* All forwards first, or several chunks: only the last chunk has the model's output. */
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
	/* What is no tail is not as often in front of backwards as behind forwards. */
	return heads > 0 ? heads : tails[0] == tails[1] || last == 1 ? tails[0] : 0;
}

int
micro_by_warm_up(const struct rows *b, int stage, int stages)
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
