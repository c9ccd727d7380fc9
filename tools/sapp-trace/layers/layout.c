#include "layout.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "count.h"
#include "ends.h"
#include "extent.h"
#include "repeat.h"
#include "signature.h"
#include "texture.h"

struct layout_state {			/* a step whose layout is being made */
	struct step_work of;
	struct repeat repeat;	/* the forward of a layer, to identify recomputation */
	int step;
	struct layout *to;
};

/* Add a piece with the kernels from FROM to before TO. Its time ends at UNTIL. */
static void
add_piece(struct layout_state *s, struct piece p, size_t from, size_t to, int64_t until)
{
	struct extent x;

	if (from >= to)
		return;
	x = extent_of(s->of.sequence, s->of.items + s->of.n, &s->of.work, from, to, until, &s->to->waits);
	for (size_t i = s->to->waits.open; i < s->to->waits.n; i++) {
		s->to->waits.at[i].owner = (int)s->to->n;
		s->to->waits.at[i].step = s->step;
		s->to->waits.at[i].phase = p.phase;
	}
	p.step = s->step;
	p.start = s->of.work.at[from]->start;
	p.wall = x.wall;
	p.busy = x.busy;
	p.idle = x.idle;
	p.kernels = (int)(to - from);
	*APPEND(s->to->at, s->to->n) = p;
}

/*
 * Return the end of the time of the kernels before TO: the start of the next kernel, or their last end if the device
 * then idles longer than LONGEST ns.
 */
static int64_t
until(const struct layout_state *s, size_t from, size_t to, double longest)
{
	return extent_next(s->of.sequence, s->of.items + s->of.n, &s->of.work, from, to, longest);
}

/* Add a backward. Parts of the layer's forward that it recomputes become separate pieces. */
static void
add_backward(struct layout_state *s, struct piece p, size_t from, size_t to, int64_t end)
{
	size_t at = from;

	while (at < to) {
		size_t first, last;

		if (!repeat_next(&s->repeat, &s->of.work, at, to, &first, &last)) {
			add_piece(s, p, at, to, end);
			break;
		}
		add_piece(s, p, at, first, s->of.work.at[first]->start);
		p.phase = TIMING_RECOMPUTE;
		add_piece(s, p, first, last, last < to ? s->of.work.at[last]->start : end);
		p.phase = TIMING_BACKWARD;
		if (last - first > s->to->recomputed)
			s->to->recomputed = last - first;
		at = last;
	}
}

static void
add_row(struct layout_state *s, const struct layer_row *b, int layer)
{
	for (size_t l = 0; l < b->layers; l++) {
		size_t from = b->start[l], to = l + 1 < b->layers ? b->start[l + 1] : b->end;
		struct piece p = { .part = LAYER_BODY, .phase = b->backward ? TIMING_BACKWARD : TIMING_FORWARD };
		int64_t end;

		if (from >= to)
			continue;
		end = l + 1 < b->layers ? s->of.work.at[to]->start :
		    until(s, from, to, (double)(s->of.work.at[to - 1]->end - s->of.work.at[from]->start) / 2);
		p.layer = b->backward ? s->to->layers - 1 - layer : layer;
		/* The first step suffices for signatures. */
		if (!b->backward && s->to->steps == 0)
			signature_keep(s->to, &s->of.work, layer, from, to);
		layer = (layer + 1) % s->to->layers;
		if (b->backward)
			add_backward(s, p, from, to, end);
		else
			add_piece(s, p, from, to, end);
	}
}

static void
add_heads(struct layout_state *s, int stage)
{
	size_t least = SIZE_MAX;
	bool any = false;

	for (size_t b = 0; b < s->of.rows.n; b++) {
		const struct layer_row *x = &s->of.rows.at[b];
		size_t from;

		if (x->backward || (from = head_start(&s->of, b, stage)) == SIZE_MAX)
			continue;
		any = true;
		add_piece(s, (struct piece){ .part = LAYER_HEAD, .phase = TIMING_FORWARD }, from, x->start[0],
		    s->of.work.at[x->start[0]]->start);
	}
	if (!any)
		return;
	/*
	 * The embedding's backward follows each backward. After the last backward the optimizer runs also, so the
	 * shortest time is used for all.
	 */
	for (size_t b = 0; b < s->of.rows.n; b++) {
		size_t from = s->of.rows.at[b].end, to = s->of.rows.at[b].backward ? head_limit(&s->of, b) : from;

		if (to > from && to - from < least)
			least = to - from;
	}
	for (size_t b = 0; b < s->of.rows.n; b++) {
		size_t from = s->of.rows.at[b].end, to = s->of.rows.at[b].backward ? head_limit(&s->of, b) : from;

		if (to <= from)
			continue;
		to = to - from > least ? from + least : to;
		add_piece(s, (struct piece){ .part = LAYER_HEAD, .phase = TIMING_BACKWARD }, from, to,
		    until(s, from, to, 0));
	}
}

static void
add_tails(struct layout_state *s, const struct layout_hints *hints)
{
	int last = hints->stage >= 0 ? hints->stage == hints->stages - 1 : -1;

	for (size_t b = 0; b < s->of.rows.n; b++) {
		struct piece p = { .part = LAYER_TAIL, .phase = TIMING_FORWARD };
		struct tail t;

		if (!tail_of(&s->of, b, last, &t))
			continue;
		add_piece(s, p, t.from, t.split, t.split < t.to ? s->of.work.at[t.split]->start :
		    until(s, t.from, t.to, (double)(s->of.work.at[t.to - 1]->end - s->of.work.at[t.from]->start) / 2));
		p.phase = TIMING_BACKWARD;
		add_piece(s, p, t.split, t.to, t.split < t.to ? s->of.work.at[t.to]->start : 0);
	}
}

/* Set the pipeline of the step: from the first transfer or piece to the end of the last transfer or piece. */
static void
find_pipeline(struct layout_state *s, size_t first_piece)
{
	struct layout *l = s->to;
	int64_t begin = INT64_MAX, end = INT64_MIN;

	for (size_t i = first_piece; i < l->n; i++) {
		begin = l->at[i].start < begin ? l->at[i].start : begin;
		end = l->at[i].start + (int64_t)l->at[i].wall > end ? l->at[i].start + (int64_t)l->at[i].wall : end;
	}
	for (size_t i = 0; i < s->of.n; i++)
		if (s->of.sequence->type[s->of.items[i].type].roles & ROLE_TRANSFER) {
			begin = s->of.items[i].start < begin ? s->of.items[i].start : begin;
			end = s->of.items[i].end > end ? s->of.items[i].end : end;
		}
	l->begin[s->step] = begin;
	l->end[s->step] = end;
}

/*
 * Return the number of micro-batches per step: as given, or from the model's ends, from other stages, or from warm-up.
 * Otherwise each row counts as a micro-batch; then *SURE is false, because this is wrong with several chunks per stage.
 */
static int
micro_of(const struct layout_state *s, const struct layout_hints *hints, const struct count *c, bool *sure)
{
	int found[] = { hints->micro, micro_by_ends(&s->of, hints->stage, hints->stages), hints->job_micro,
		micro_by_warm_up(&s->of.rows, hints->stage, hints->stages) };

	*sure = true;
	for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
		if (found[i] > 0 && (i == 0 || c->rows[0] % (size_t)found[i] == 0))
			return found[i];
	*sure = hints->stages == 1;
	return (int)c->rows[0];
}

enum { FOUND_LAYERS = 3 };
static const double alike = 1.5;	/* maximum ratio of a layer's time to the median layer's time */
static const double share = 0.2;	/* minimum fraction of the time of a step's kernels that is in layers */

/*
 * Check layers whose anchors were found and not named: there must be several in a row with equal times, and they must
 * be a large part of all work. FIRST: the first of their pieces. Return a description of the doubt (caller frees), or
 * NULL.
 */
static char *
doubt(const struct layout_state *s, size_t first)
{
	const struct layout *l = s->to;
	double *busy = xcalloc(l->n - first + 1, sizeof *busy), all = 0, layers = 0;
	char *what = NULL;
	size_t n = 0;

	for (size_t k = 0; k < s->of.work.n; k++)
		all += (double)(s->of.work.at[k]->end - s->of.work.at[k]->start);
	for (size_t i = first; i < l->n; i++) {
		if (l->at[i].part != LAYER_BODY)
			continue;
		layers += l->at[i].busy;
		if (l->at[i].phase == TIMING_FORWARD)
			busy[n++] = l->at[i].busy;
	}
	numbers_sort(busy, n);
	if (!s->of.rows.named && (n < FOUND_LAYERS || busy[n - 1] > alike * busy[n / 2] || layers < share * all))
		what = xasprintf("the repetition around %.60s is not a row of layers: %zu times, %.6g to %.6g ms of "
		    "work, %.0f %% of all work", l->anchor, n, n ? busy[0] / 1e6 : 0, n ? busy[n - 1] / 1e6 : 0,
		    all > 0 ? 100 * layers / all : 0);
	free(busy);
	return what;
}

/* Make the layout of rows with one layer, whose begin and end other stages may show. */
static bool
lay_out_single(struct layout_state *s, const struct layout_hints *hints, const struct count *c, char **why)
{
	struct layer_model own = { 0 };
	char *what, *missing;
	bool good = single_rows(&s->of.rows, &s->of.work, s->of.sequence, hints->stage, hints->stages, hints->model,
	    &own, &missing);

	layer_model_add(&s->to->model, &own);
	layer_model_free(&own);
	if (good)
		return true;
	s->to->single = true;
	what = count_text(c, &s->of.rows, s->of.sequence);
	*why = xasprintf("no layers found by repetition among %zu kernels: %s: %s", s->of.work.n, what, missing);
	free(what);
	free(missing);
	return false;
}

/*
 * Return a message (caller frees) if some kernels of a layer of the first row run twice, so that it is several layers;
 * otherwise NULL.
 */
static char *
several(const struct layout_state *s)
{
	uint32_t *texture = texture_of(&s->of.work);
	char *what = NULL;

	for (size_t b = 0; b < s->of.rows.n && what == NULL; b++) {
		const struct layer_row *x = &s->of.rows.at[b];
		size_t again;

		for (size_t l = 0; l < x->layers && !x->backward && what == NULL; l++) {
			size_t from = x->start[l], to = l + 1 < x->layers ? x->start[l + 1] : x->end;

			if (!texture_repeats(texture, &s->of.work, s->of.sequence, from, to, &again))
				continue;
			what = xasprintf("the kernels around %s may be several layers: of %zu kernels, number %zu "
			    "(%.60s) and the following repeat earlier ones; name a kernel of each kind of layer with "
			    "-anchor A,B, or give the number of layers with -c", s->to->anchor, to - from,
			    again - from + 1, s->of.sequence->type[s->of.work.at[again]->type].name);
		}
		if (!x->backward)
			break;
	}
	free(texture);
	return what;
}

/* Return a description of the error if the number of layers is wrong (caller frees), or NULL. */
static char *
miscounted(const struct layout_state *s, const struct layout_hints *hints)
{
	char *numbers = xstrdup(""), *what = NULL;

	for (int i = 0; i < hints->nlayers; i++) {
		char *longer;

		if (hints->layers[i] == s->to->layers) {
			free(numbers);
			return NULL;
		}
		longer = xasprintf("%s%s%d", numbers, *numbers ? " or " : "", hints->layers[i]);
		free(numbers);
		numbers = longer;
	}
	if (hints->nlayers > 0)
		what = xasprintf("%d layers found by repetition around %s, but the stage has %s by %s: name a kernel "
		    "that runs once per layer with -anchor A,B", s->to->layers, s->to->anchor, numbers, hints->said);
	free(numbers);
	return what;
}

/* Count the layers of a step's rows. Return a description of the error (caller frees), or NULL. */
static char *
count_layers(struct layout_state *s, const struct layout_hints *hints)
{
	struct layout *l = s->to;
	struct count c = count_of(&s->of.rows);
	char *why = NULL, *what;
	bool sure;
	int micro;

	count_drop_first(&s->of.rows, &c);
	if (s->of.rows.single && c.rows[0] > 0 && !lay_out_single(s, hints, &c, &why))
		return why;
	micro = micro_of(s, hints, &c, &sure);
	if (c.layers[0] == 0 || micro == 0 || (c.layers[1] > 0 && c.layers[1] != c.layers[0]) ||
	    (!sure && !c.even) || c.layers[0] % (size_t)micro != 0) {
		what = count_text(&c, &s->of.rows, s->of.sequence);
		why = xasprintf("no layers found by repetition among %zu kernels: %s%s", s->of.work.n, what,
		    c.layers[0] == 0 ? "; profile a whole step, or name a kernel that runs once per layer with "
		    "-anchor" : hints->micro > 0 ? ", which the micro-batches of -mb do not divide evenly: name a "
		    "kernel that runs once per layer with -anchor" : ": their number differs between rows, or between "
		    "forward and backward; give the micro-batches with -mb, or a kernel that runs once per layer with "
		    "-anchor");
		free(what);
		return why;
	}
	if (l->layers != 0 && (c.layers[0] != (size_t)l->layers * (size_t)micro || micro != l->micro))
		return xasprintf("step %ld has %zu layers and %d micro-batches, but other steps have %d and %d",
		    s->of.sequence->number[s->step], c.layers[0], micro, l->layers, l->micro);
	l->layers = (int)(c.layers[0] / (size_t)micro);
	l->micro = micro;
	l->micro_sure = sure;
	free(l->anchor);
	l->anchor = anchors_text(&s->of.rows.anchors[0], s->of.sequence);
	if (s->of.rows.vague)
		return xstrdup("layers are of several kinds, and the boundaries between layers are unknown: give the "
		    "profile of another stage, or mark layers by spans");
	return hints->nlayers > 0 ? miscounted(s, hints) : l->choice == 0 ? several(s) : NULL;
}

/* Return an attention that is not an anchor and does not lie within a layer (caller frees), or NULL. */
static char *
left_out(const struct layout_state *s)
{
	const struct sequence *q = s->of.sequence;

	for (size_t k = 0, b = 0; k < s->of.work.n; k++) {
		uint32_t type = s->of.work.at[k]->type;

		while (b < s->of.rows.n && s->of.rows.at[b].end <= k)
			b++;
		if ((q->type[type].roles & ROLE_ATTENTION) && (b == s->of.rows.n || k < s->of.rows.at[b].start[0]))
			return xasprintf("%.60s runs outside the layers found by repetition around %s",
			    q->type[type].name, s->to->anchor);
	}
	return NULL;
}

/* Find the rows of a step. Use the first choice of anchors whose layers can be counted. */
static bool
find_rows(struct layout_state *s, const struct layout_hints *hints, char **why)
{
	int layers = s->to->layers, micro = s->to->micro;

	for (int i = s->to->choice > 0 ? -1 : 0; i < ANCHOR_CHOICES; i++) {
		/* Try the choice of the previous step first. */
		int choice = i < 0 ? s->to->choice - 1 : i;
		char *reason;

		if (i >= 0 && i == s->to->choice - 1)
			continue;

		work_of(&s->of.work, s->of.items, s->of.n, s->of.sequence);
		if (rows_find(&s->of.rows, &s->of.work, s->of.sequence, hints->anchor, (enum anchor_choice)choice)) {
			reason = count_layers(s, hints);
			if (reason == NULL && choice != ANCHORS_ALL)
				reason = left_out(s);
			if (reason == NULL) {
				free(*why);
				*why = NULL;
				s->to->unclear = false;
				s->to->choice = choice + 1;
				return true;
			}
			/* Layers exist but cannot be separated. */
			s->to->unclear |= s->to->layers > 0 && layers == 0 && choice == ANCHORS_ALL;
			s->to->layers = layers;
			s->to->micro = micro;
			if (choice == ANCHORS_ALL || *why == NULL) {
				free(*why);
				*why = reason;
			} else
				free(reason);
		}
		rows_free(&s->of.rows);
		work_free(&s->of.work);
	}
	return false;
}

/* Make the layout of one step. Return false if it has no layers, with the reason in *WHY. */
static bool
lay_out(struct layout_state *s, const struct layout_hints *hints, char **why)
{
	struct layout *l = s->to;
	size_t first = l->n, first_wait = l->waits.n;
	int layer[2] = { 0, 0 };

	if (!find_rows(s, hints, why))
		return false;
	l->parts |= s->of.rows.parts;
	for (int k = 0; k < 2; k++)
		l->period[k] = s->of.rows.shape[k].period;
	repeat_init(&s->repeat, &s->of.work, &s->of.rows, s->of.sequence);
	for (size_t b = 0; b < s->of.rows.n; b++) {
		const struct layer_row *x = &s->of.rows.at[b];

		add_row(s, x, layer[x->backward]);
		layer[x->backward] = (int)(((size_t)layer[x->backward] + x->layers) % (size_t)l->layers);
	}
	if (!s->of.rows.single && s->of.rows.named)
		layer_model_of(&l->model, &s->of.rows, &s->of.work, s->of.sequence);
	add_heads(s, hints->stage);
	add_tails(s, hints);
	find_pipeline(s, first);
	repeat_free(&s->repeat);
	*why = doubt(s, first);
	if (*why != NULL) {
		l->n = first;
		l->waits.n = first_wait;
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
		struct layout_state s = { .of = { .sequence = sequence, .items = sequence->at + from }, .step = step,
		    .to = l };
		char *reason = NULL;

		while (from + s.of.n < sequence->n && s.of.items[s.of.n].step == step)
			s.of.n++;
		from += s.of.n;
		l->good[step] = lay_out(&s, hints, &reason);
		l->steps += l->good[step];
		if (first == NULL)
			first = reason;
		else
			free(reason);
		rows_free(&s.of.rows);
		work_free(&s.of.work);
	}
	*why = first;
	signature_make(l, sequence);
	if (l->steps == 0 && first == NULL)
		*why = xstrdup("no kernels");
	return l->steps > 0;
}

void
layout_free(struct layout *l)
{
	for (int i = 0; i < l->nkept; i++)
		free(l->kept[i].at);
	free(l->kept);
	free(l->signature);
	layer_model_free(&l->model);
	waits_free(&l->waits);
	free(l->at);
	free(l->anchor);
	free(l->good);
	free(l->begin);
	free(l->end);
	*l = (struct layout){ 0 };
}
