/* Layout: what the kernels of a sequence do. */
#include "layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "extent.h"
#include "lib/base/alloc.h"
#include "repeat.h"

struct state {			/* one step being laid out */
	const struct sequence *sequence;
	const struct item *items;	/* of the step, communication among them */
	size_t n;
	struct work work;
	struct rows rows;
	struct repeat repeat;	/* the forward layer that recomputed ones are told by */
	int step;
	struct layout *to;
};

static bool
role(const struct state *s, size_t k, unsigned roles)
{
	return (s->sequence->type[s->work.at[k]->type].roles & roles) != 0;
}

/* Add the piece of the kernels FROM up to TO, whose time goes on to UNTIL. */
static void
add_piece(struct state *s, struct piece p, size_t from, size_t to, int64_t until)
{
	struct extent x;

	if (from >= to)
		return;
	x = extent_of(s->sequence, s->items + s->n, &s->work, from, to, until);
	p.step = s->step;
	p.start = s->work.at[from]->start;
	p.wall = x.wall;
	p.busy = x.busy;
	p.idle = x.idle;
	p.kernels = (int)(to - from);
	if (s->to->n == s->to->room) {
		s->to->room = s->to->room ? 2 * s->to->room : 256;
		s->to->at = xreallocarray(s->to->at, s->to->room, sizeof *s->to->at);
	}
	s->to->at[s->to->n++] = p;
}

/* Where the time of the kernels before TO ends: at the next kernel's start; where work ends, i.e. the device is
 * idle for longer than LONGEST, with the last of them. */
static int64_t
until(const struct state *s, size_t from, size_t to, double longest)
{
	return extent_next(s->items + s->n, &s->work, from, to, longest);
}

/* Runs of the layer's forward within its backward. */
static void
add_backward(struct state *s, struct piece p, size_t from, size_t to, int64_t end)
{
	size_t at = from;

	while (at < to) {
		size_t first, last;

		if (!repeat_next(&s->repeat, &s->work, at, to, &first, &last)) {
			add_piece(s, p, at, to, end);
			break;
		}
		add_piece(s, p, at, first, s->work.at[first]->start);
		p.phase = TIMING_RECOMPUTE;
		add_piece(s, p, first, last, last < to ? s->work.at[last]->start : end);
		p.phase = TIMING_BACKWARD;
		if (last - first > s->to->recomputed)
			s->to->recomputed = last - first;
		at = last;
	}
}

static void
add_row(struct state *s, const struct row *b, int layer)
{
	for (size_t l = 0; l < b->layers; l++) {
		size_t from = b->start[l], to = l + 1 < b->layers ? b->start[l + 1] : b->end;
		struct piece p = { .part = PART_BODY, .phase = b->backward ? TIMING_BACKWARD : TIMING_FORWARD };
		int64_t end;

		if (from >= to)
			continue;
		end = l + 1 < b->layers ? s->work.at[to]->start :
		    until(s, from, to, (double)(s->work.at[to - 1]->end - s->work.at[from]->start) / 2);
		p.layer = b->backward ? s->to->layers - 1 - layer : layer;
		layer = (layer + 1) % s->to->layers;
		if (b->backward)
			add_backward(s, p, from, to, end);
		else
			add_piece(s, p, from, to, end);
	}
}

/* Behind row B and the transfers after it, in front of the next row: kernels [*from, *to). */
static void
gap_before(const struct state *s, size_t b, size_t *from, size_t *to)
{
	*from = b > 0 ? s->rows.at[b - 1].end : 0;
	*to = s->rows.at[b].start[0];
	for (size_t i = 0; i < s->work.ntransfers; i++)
		if (s->work.transfer[i] > *from && s->work.transfer[i] <= *to)
			*from = s->work.transfer[i];
}

static bool
transfer_within(const struct state *s, size_t from, size_t to)
{
	for (size_t i = 0; i < s->work.ntransfers; i++)
		if (s->work.transfer[i] >= from && s->work.transfer[i] <= to)
			return true;
	return false;
}

/* The first kernel of the embedding in front of forward row B; SIZE_MAX: it is of a later stage. */
static size_t
head_start(const struct state *s, size_t b, int stage)
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

/* Backward of the embedding behind row B: [end of B, limit), at most. */
static size_t
head_limit(const struct state *s, size_t b)
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

static void
add_heads(struct state *s, int stage)
{
	size_t least = SIZE_MAX;
	bool any = false;

	for (size_t b = 0; b < s->rows.n; b++) {
		const struct row *x = &s->rows.at[b];
		size_t from;

		if (x->backward || (from = head_start(s, b, stage)) == SIZE_MAX)
			continue;
		any = true;
		add_piece(s, (struct piece){ .part = PART_HEAD, .phase = TIMING_FORWARD }, from, x->start[0],
		    s->work.at[x->start[0]]->start);
	}
	if (!any)
		return;
	/* What follows each backward alike is the embedding's, what follows only the last is the optimizer's. */
	for (size_t b = 0; b < s->rows.n; b++)
		if (s->rows.at[b].backward && head_limit(s, b) > s->rows.at[b].end &&
		    head_limit(s, b) - s->rows.at[b].end < least)
			least = head_limit(s, b) - s->rows.at[b].end;
	for (size_t b = 0; b < s->rows.n; b++) {
		size_t from = s->rows.at[b].end, to;

		if (!s->rows.at[b].backward)
			continue;
		to = head_limit(s, b);
		if (to > from && to - from > least)
			to = from + least;
		if (to > from)
			add_piece(s, (struct piece){ .part = PART_HEAD, .phase = TIMING_BACKWARD }, from, to,
			    until(s, from, to, 0));
	}
}

/*
 * Where between the last forward layer and the first backward one the backward begins: with what another thread
 * launched; with the ones that a loss's gradient is; else with the second product, the first being the output's.
 */
static size_t
tail_split(const struct state *s, size_t from, size_t to)
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

static void
add_tails(struct state *s, const struct layout_hints *hints)
{
	bool last = hints->stage >= 0 && hints->stage == hints->stages - 1;

	for (size_t b = 0; b + 1 < s->rows.n; b++) {
		const struct row *f = &s->rows.at[b], *g = f + 1;
		size_t from = f->end, to = g->start[0], split;
		bool product = false;

		for (size_t k = from; k < to; k++)
			product |= role(s, k, ROLE_MATMUL);
		if (f->backward || !g->backward || from >= to || transfer_within(s, from, to) ||
		    (hints->stage >= 0 ? !last : !product))
			continue;
		split = tail_split(s, from, to);
		add_piece(s, (struct piece){ .part = PART_TAIL, .phase = TIMING_FORWARD }, from, split,
		    s->work.at[split < to ? split : to]->start);
		add_piece(s, (struct piece){ .part = PART_TAIL, .phase = TIMING_BACKWARD }, split, to,
		    s->work.at[to]->start);
	}
}

/* From the first transfer or piece to the end of the last. */
static void
find_pipeline(struct state *s, size_t first_piece)
{
	struct layout *l = s->to;
	int64_t begin = INT64_MAX, end = INT64_MIN;

	for (size_t i = first_piece; i < l->n; i++) {
		begin = l->at[i].start < begin ? l->at[i].start : begin;
		end = l->at[i].start + (int64_t)l->at[i].wall > end ? l->at[i].start + (int64_t)l->at[i].wall : end;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->sequence->type[s->items[i].type].roles & ROLE_TRANSFER) {
			begin = s->items[i].start < begin ? s->items[i].start : begin;
			end = s->items[i].end > end ? s->items[i].end : end;
		}
	l->begin[s->step] = begin;
	l->end[s->step] = end;
}

/* Micro-batches of a step: as is said; on the first and the last stage, those that have the model's end, on others
 * one for each row. */
static int
micro_of(const struct state *s, const struct layout_hints *hints, const struct count *c)
{
	int heads = 0;

	if (hints->micro > 0)
		return hints->micro;
	for (size_t b = 0; b < s->rows.n; b++)
		heads += !s->rows.at[b].backward && head_start(s, b, hints->stage) != SIZE_MAX;
	return heads > 0 ? heads : (int)c->rows[0];
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

enum { FOUND_LAYERS = 3 };
static const double alike = 1.5;	/* a layer over the one in the middle */
static const double share = 0.2;	/* of the time of a step's kernels */

/*
 * What was found, not named, must look like layers: some in a row that take the same time, and a good part of all
 * work. The pieces from FIRST on. NULL: it does; else what it is, to be freed.
 */
static char *
doubt(const struct state *s, size_t first)
{
	const struct layout *l = s->to;
	double *busy = xcalloc(l->n - first + 1, sizeof *busy), all = 0, layers = 0;
	char *what = NULL;
	size_t n = 0;

	for (size_t k = 0; k < s->work.n; k++)
		all += (double)(s->work.at[k]->end - s->work.at[k]->start);
	for (size_t i = first; i < l->n; i++) {
		if (l->at[i].part != PART_BODY)
			continue;
		layers += l->at[i].busy;
		if (l->at[i].phase == TIMING_FORWARD)
			busy[n++] = l->at[i].busy;
	}
	if (n > 0)
		qsort(busy, n, sizeof *busy, by_value);
	if (!s->rows.named && (n < FOUND_LAYERS || busy[n - 1] > alike * busy[n / 2] || layers < share * all))
		what = xasprintf("what repeats around %.60s is no row of layers: %zu times, %.6g to %.6g ms of work, "
		    "%.0f %% of all", l->anchor, n, n ? busy[0] / 1e6 : 0, n ? busy[n - 1] / 1e6 : 0,
		    all > 0 ? 100 * layers / all : 0);
	free(busy);
	return what;
}

/* Lay out one step; false: it has no such pattern, and *WHY says what it has. */
static bool
lay_out(struct state *s, const struct layout_hints *hints, char **why)
{
	struct layout *l = s->to;
	struct count c;
	size_t first = l->n;
	int micro, layer[2] = { 0, 0 };
	char *what;

	work_of(&s->work, s->items, s->n, s->sequence);
	rows_find(&s->rows, &s->work, s->sequence, hints->anchor);
	c = count_of(&s->rows);
	count_drop_first(&s->rows, &c);
	micro = micro_of(s, hints, &c);
	if (c.longest == 1 && c.rows[0] > 0) {
		what = count_text(&c, &s->rows, s->sequence);
		*why = xasprintf("layers are not told by what repeats: of %zu kernels, %s: rows of one layer do not "
		    "show where it begins; profile a stage of two layers or more", s->work.n, what);
		free(what);
		return false;
	}
	if (c.layers[0] == 0 || micro == 0 || (c.layers[1] > 0 && c.layers[1] != c.layers[0]) ||
	    (hints->micro == 0 && !c.even) || c.layers[0] % (size_t)micro != 0) {
		what = count_text(&c, &s->rows, s->sequence);
		*why = xasprintf("layers are not told by what repeats: of %zu kernels, %s%s", s->work.n, what,
		    c.layers[0] == 0 ? "; a profile needs a whole step, and the "
		    "kernel that runs once a layer may be named with -anchor" : hints->micro > 0
		    ? ", which are not as many layers for each of the "
		    "micro-batches that -mb says" : ": not as many in each row, or forward and backward; say the "
		    "micro-batches with -mb, or a kernel that runs once a layer with -anchor");
		free(what);
		return false;
	}
	if (l->layers != 0 && (c.layers[0] != (size_t)l->layers * (size_t)micro || micro != l->micro)) {
		*why = xasprintf("step %ld has %zu layers and %d micro-batches, others have %d and %d",
		    s->sequence->number[s->step], c.layers[0], micro, l->layers, l->micro);
		return false;
	}
	l->layers = (int)(c.layers[0] / (size_t)micro);
	l->micro = micro;
	for (int k = 0; k < 2; k++)
		l->period[k] = s->rows.period[k];
	l->anchor = s->sequence->type[s->rows.anchor[0]].name;
	repeat_init(&s->repeat, &s->work, &s->rows, s->sequence);
	for (size_t b = 0; b < s->rows.n; b++) {
		const struct row *x = &s->rows.at[b];

		add_row(s, x, layer[x->backward]);
		layer[x->backward] = (int)(((size_t)layer[x->backward] + x->layers) % (size_t)l->layers);
	}
	add_heads(s, hints->stage);
	add_tails(s, hints);
	find_pipeline(s, first);
	repeat_free(&s->repeat);
	*why = doubt(s, first);
	if (*why != NULL) {
		l->n = first;
		if (l->steps == 0)
			l->layers = l->micro = 0;
	}
	return *why == NULL;
}

bool
layout_find(struct layout *l, const struct sequence *sequence, const struct layout_hints *hints, char **why)
{
	size_t from = 0;
	char *first = NULL;

	*l = (struct layout){ 0 };
	l->good = xcalloc((size_t)sequence->steps + 1, sizeof *l->good);
	l->begin = xcalloc((size_t)sequence->steps + 1, sizeof *l->begin);
	l->end = xcalloc((size_t)sequence->steps + 1, sizeof *l->end);
	for (int step = 0; step < sequence->steps; step++) {
		struct state s = { .sequence = sequence, .items = sequence->at + from, .step = step, .to = l };
		char *reason = NULL;

		while (from + s.n < sequence->n && s.items[s.n].step == step)
			s.n++;
		from += s.n;
		l->good[step] = lay_out(&s, hints, &reason);
		l->steps += l->good[step];
		if (first == NULL)
			first = reason;
		else
			free(reason);
		rows_free(&s.rows);
		work_free(&s.work);
	}
	*why = first;
	if (l->steps == 0 && first == NULL)
		*why = xstrdup("no kernels");
	return l->steps > 0;
}

void
layout_free(struct layout *l)
{
	free(l->at);
	free(l->good);
	free(l->begin);
	free(l->end);
	*l = (struct layout){ 0 };
}
