#include "row.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "border.h"
#include "parts.h"
#include "texture.h"

/* Roles of the kernels of the model's ends, forward and backward. */
static const unsigned ends[2] = { ROLE_EMBEDDING | ROLE_LOSS, ROLE_EMBEDDING_GRADIENT | ROLE_LOSS };

/*
 * Drop forward anchors that recomputation adds, if forward anchors are more than backward anchors. Candidates are those
 * directly before a backward anchor. The nearest are dropped first.
 */
static void
drop_recomputed(struct positions *f, const struct positions *b, const struct work *w)
{
	size_t extra = f->n > b->n ? f->n - b->n : 0, to = 0, j = 0, candidates = 0;
	size_t *distance;

	if (extra == 0 || b->n == 0)
		return;
	/* distance to the next backward anchor; 0: the anchor is kept */
	distance = xcalloc(f->n, sizeof *distance);
	for (size_t i = 0; i < f->n; i++) {
		while (j < b->n && b->at[j] < f->at[i])
			j++;
		if (j == b->n || (i + 1 < f->n && f->at[i + 1] < b->at[j]))
			continue;
		distance[i] = b->at[j] - f->at[i];
		/* Recomputation does not wait for another stage. */
		if (work_transfer(w, f->at[i] + 1, b->at[j]))
			distance[i] += w->n;
		candidates++;
	}
	/* If candidates are fewer than surplus anchors, recomputation is not the reason. */
	for (; extra > 0 && candidates >= extra; extra--, candidates--) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < f->n; i++)
			if (distance[i] > 0 && (best == SIZE_MAX || distance[i] < distance[best]))
				best = i;
		f->at[best] = SIZE_MAX;
		distance[best] = 0;
	}
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i] != SIZE_MAX)
			f->at[to++] = f->at[i];
	f->n = to;
	free(distance);
}

/* Return the number of equal kernels before (or after) A and B, at most MOST. */
static size_t
alike_before(const struct work *w, size_t a, size_t b, size_t most)
{
	size_t n = 0;

	while (n < most && n < a && n < b && w->at[a - n - 1]->symbol == w->at[b - n - 1]->symbol)
		n++;
	return n;
}

static size_t
alike_behind(const struct work *w, size_t a, size_t b, size_t most)
{
	size_t n = 0;

	while (n < most && a + n + 1 < w->n && b + n + 1 < w->n &&
	    w->at[a + n + 1]->symbol == w->at[b + n + 1]->symbol)
		n++;
	return n;
}

static struct layer_shape
shape_of(const struct work *w, const struct positions *p, const struct positions *other)
{
	struct layer_shape x = { .period = positions_period(p), .before = SIZE_MAX };
	size_t longest = 0, most = 0;

	if (x.period == 0)
		return x;
	/* The middle anchor of the longest row is the model for the shape. */
	for (size_t i = 0, j; i < p->n; i = j + 1) {
		for (j = i; j + 1 < p->n && p->at[j + 1] - p->at[j] == x.period; j++)
			;
		if (j - i > longest) {
			longest = j - i;
			x.model = p->at[i + (j - i + 1) / 2];
		}
	}
	/* At the start of a row, equal kernels before the anchor belong to the layer. */
	for (size_t i = 0; i < p->n; i++) {
		bool first = i == 0 || positions_any(other, p->at[i - 1], p->at[i]) ||
		    p->at[i] - p->at[i - 1] != x.period;
		size_t n = alike_before(w, p->at[i], x.model, x.period - 1);

		most = n > most ? n : most;
		if (first && p->at[i] != x.model && n < x.before && (n > 0 || i == 0))
			x.before = n;
	}
	if (x.before == SIZE_MAX)
		x.before = most;
	x.behind = x.period - 1 - x.before;
	return x;
}

/* Return the kernels around the anchors [first, first + n) of a row that may belong to its layers. */
static struct row_room
room_of(const struct work *w, const struct sequence *s, const struct positions *p, const struct positions *other,
    size_t first, size_t n, bool backward)
{
	size_t last = first + n - 1, at = p->at[first], end = p->at[last];
	size_t from = first > 0 ? p->at[first - 1] + 1 : 0, to = last + 1 < p->n ? p->at[last + 1] : w->n;
	size_t phase = positions_last(other, at), sent = positions_last(&w->transfers, at);
	struct row_room r = { .first = first, .n = n, .edge = SIZE_MAX };

	from = phase > from ? phase : from;
	r.closed[0] = sent > from;
	r.from = r.closed[0] ? sent - 1 : from;
	phase = positions_first(other, end);
	to = phase < to ? phase : to;
	sent = positions_first(&w->transfers, end + 1);
	r.closed[1] = sent <= to;
	r.to = r.closed[1] ? sent : to;
	/* The ends of the model are here, so the row is not closed. */
	if (work_role(w, s, r.from, at, ends[backward] & ~(unsigned)ROLE_EMBEDDING_GRADIENT))
		r.closed[0] = false;
	for (size_t k = r.to; k-- > end + 1;)
		if (work_role(w, s, k, k + 1, ends[backward] & ~(unsigned)ROLE_EMBEDDING)) {
			r.closed[1] = false;
			r.edge = backward ? k : SIZE_MAX;
		}
	return r;
}

/* If borders are unknown, give all layers the shape of the model layer, within the kernels of the row. */
static void
fill_alike(const struct layer_shape *x, const struct positions *p, struct row_room *r, size_t start[])
{
	for (size_t a = r->first; a < r->first + r->n; a++) {
		size_t least = a > r->first ? p->at[a - 1] + 1 : r->from;

		start[a] = p->at[a] > least + x->before ? p->at[a] - x->before : least;
	}
	r->end = p->at[r->first + r->n - 1] + 1 + x->behind;
	r->end = r->end < r->to ? r->end : r->to;
}

/*
 * Divide the anchors P into rows of layers, which may be of several kinds. A row ends if the other phase, a transfer or
 * an end of the model lies between two anchors.
 */
static void
cut(struct layer_rows *b, const struct work *w, const struct sequence *s, const struct positions *p,
    const struct positions *other, bool backward)
{
	size_t *start = xcalloc(p->n + 1, sizeof *start), rows = 0;
	struct row_room *r = NULL;
	bool vague = false, found;

	b->found[backward] = p->n;
	b->shape[backward] = shape_of(w, p, other);
	for (size_t i = 0, j; i < p->n && b->shape[backward].period > 0; i = j) {
		for (j = i + 1; j < p->n && !positions_any(other, p->at[j - 1], p->at[j]) &&
		    !work_transfer(w, p->at[j - 1] + 1, p->at[j]) &&
		    !work_role(w, s, p->at[j - 1] + 1, p->at[j], ends[backward]); j++)
			;
		*APPEND(r, rows) = room_of(w, s, p, other, i, j - i, backward);
	}
	found = borders_find(w, s, p, r, rows, start, &vague);
	/* Anchors that were found, not named, may be any part of a layer. */
	b->vague |= vague && b->named;
	for (size_t i = 0; i < rows; i++) {
		struct layer_row k = { .backward = backward, .anchor = p->at[r[i].first], .layers = r[i].n };

		if (!found)
			fill_alike(&b->shape[backward], p, &r[i], start);
		k.end = r[i].end;
		k.start = xcalloc(k.layers, sizeof *k.start);
		for (size_t l = 0; l < k.layers; l++)
			k.start[l] = start[r[i].first + l];
		*APPEND(b->at, b->n) = k;
	}
	free(start);
	free(r);
}

/* Keep only the anchors that have a whole layer around them. */
static void
keep_whole(struct positions *p, const struct work *w)
{
	struct positions none = { 0 };
	struct layer_shape x = shape_of(w, p, &none);
	size_t to = 0;

	for (size_t i = 0; i < p->n && x.period > 0; i++)
		if (alike_before(w, p->at[i], x.model, x.before) == x.before &&
		    alike_behind(w, p->at[i], x.model, x.behind) == x.behind)
			p->at[to++] = p->at[i];
	if (x.period > 0)
		p->n = to;
}

ORDER_BY(by_time, struct layer_row, it->start[0])

/* Make rows disjoint. Kernels in two rows belong to the later row, whose begin is determined by equality. */
static void
order(struct layer_rows *b)
{
	SORT(b->at, b->n, by_time);
	for (size_t i = 0; i + 1 < b->n; i++)
		if (b->at[i].end > b->at[i + 1].start[0])
			b->at[i].end = b->at[i + 1].start[0];
}

static void
take(const struct layer_rows *b, bool taken[])
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t k = b->at[i].start[0]; k < b->at[i].end; k++)
			taken[k] = true;
}

/* Exchange forward and backward. */
static void
swap(struct layer_rows *b)
{
	const struct layer_rows was = *b;

	for (size_t i = 0; i < b->n; i++)
		b->at[i].backward = !b->at[i].backward;
	for (int phase = 0; phase < 2; phase++) {
		b->shape[phase] = was.shape[!phase];
		b->found[phase] = was.found[!phase];
		b->anchors[phase] = was.anchors[!phase];
	}
}

/* Find repetitions without known anchors. The first repetition is the forward, unless its kernels are gradients. */
static void
find_repeated(struct layer_rows *b, const struct work *w, const struct sequence *s)
{
	bool *taken = xcalloc(w->n, sizeof *taken);
	struct positions none = { 0 };
	unsigned flag[2] = { 0, 0 };

	for (size_t i = 0; i < w->n; i++)
		if (w->at[i]->flags & ITEM_BACKWARD) {
			flag[0] = ITEM_FORWARD;
			flag[1] = ITEM_BACKWARD;
		}
	for (int phase = 0; phase < 2; phase++) {
		uint32_t type = anchor_repeated(w, s, taken, flag[phase]);
		struct positions p;

		if (type == NO_ANCHOR)
			continue;
		anchors_add(&b->anchors[phase], s, type);
		p = positions_of(w, b->anchors[phase].is, flag[phase], taken);
		keep_whole(&p, w);
		cut(b, w, s, &p, &none, phase == 1);
		take(b, taken);
		free(p.at);
	}
	order(b);
	if (flag[0] == 0 && b->n > 0 && (b->at[0].backward ||
	    (b->anchors[1].n == 0 && work_role(w, s, b->at[0].start[0], b->at[0].end, ROLE_GRADIENT))))
		swap(b);
	free(taken);
}

/* Return whether the other phase, a transfer or a loss separates all neighbours in P. */
static bool
each_alone(const struct positions *p, const struct positions *other, const struct work *w, const struct sequence *s)
{
	for (size_t i = 0; i + 1 < p->n; i++)
		if (!positions_any(other, p->at[i], p->at[i + 1]) && !work_transfer(w, p->at[i] + 1, p->at[i + 1]) &&
		    !work_role(w, s, p->at[i] + 1, p->at[i + 1], ROLE_LOSS))
			return false;
	return true;
}

static void
add_anchors(struct layer_rows *b, const struct positions *p, bool backward)
{
	b->found[backward] = p->n;
	for (size_t i = 0; i < p->n; i++) {
		struct layer_row k = { .backward = backward, .layers = 1, .end = p->at[i] + 1, .anchor = p->at[i] };

		k.start = xcalloc(1, sizeof *k.start);
		k.start[0] = p->at[i];
		*APPEND(b->at, b->n) = k;
	}
}

/* Keep only the type with the most time. Return whether other types were dropped. */
static bool
choose_one(struct anchors *a, const struct sequence *s)
{
	struct anchors one;

	if (a->n < 2)
		return false;
	anchors_init(&one, s);
	anchors_add(&one, s, a->first);
	anchors_free(a);
	*a = one;
	return true;
}

/* Choose anchors that repeat within the layers around the attentions at P. Return false if none exist. */
static bool
choose_finer(struct layer_rows *b, const struct work *w, const struct sequence *s, const struct positions p[2])
{
	size_t n;
	uint32_t *texture = texture_of(w), type = texture_finer(texture, w, s, &p[0], &p[1], &n);

	free(texture);
	if (type == NO_ANCHOR)
		return false;
	for (int phase = 0; phase < 2; phase++) {
		anchors_free(&b->anchors[phase]);
		anchors_init(&b->anchors[phase], s);
	}
	anchors_add(&b->anchors[0], s, type);
	anchors_gradient(&b->anchors[1], w, s, n);
	return p[1].n == 0 || b->anchors[1].n > 0;
}

static void
find_positions(const struct layer_rows *b, struct work *w, const struct sequence *s, struct positions p[2],
    bool *joined)
{
	for (int phase = 0; phase < 2; phase++)
		p[phase] = positions_of(w, b->anchors[phase].is, 0, NULL);
	*joined = parts_join(&p[0], &p[1], w, s);
	*joined |= parts_join(&p[1], &p[0], w, s);
	drop_recomputed(&p[0], &p[1], w);
}

bool
rows_find(struct layer_rows *b, struct work *w, const struct sequence *s, const char *names, enum anchor_choice choice)
{
	struct positions p[2];
	bool other = true;

	*b = (struct layer_rows){ .named = true };
	for (int phase = 0; phase < 2; phase++) {
		anchors_init(&b->anchors[phase], s);
		if (names != NULL)
			anchors_named(&b->anchors[phase], s, names, phase);
		if (b->anchors[phase].n == 0 && (names == NULL || phase == 1))
			anchors_attention(&b->anchors[phase], s, phase);
	}
	if (b->anchors[0].n == 0 || names != NULL) {
		if (choice != ANCHORS_ALL)
			return false;
	}
	if (b->anchors[0].n == 0) {
		b->named = false;
		find_repeated(b, w, s);
		return true;
	}
	if (choice == ANCHORS_ONE) {
		other = choose_one(&b->anchors[0], s);
		other = choose_one(&b->anchors[1], s) || other;
	}
	find_positions(b, w, s, p, &b->parts);
	if (choice == ANCHORS_FINER && (other = choose_finer(b, w, s, p))) {
		free(p[0].at);
		free(p[1].at);
		find_positions(b, w, s, p, &b->parts);
	}
	b->single = other && each_alone(&p[0], &p[1], w, s) && each_alone(&p[1], &p[0], w, s);
	for (int backward = 0; backward < 2 && b->single; backward++)
		add_anchors(b, &p[backward], backward);
	for (int backward = 0; backward < 2 && other && !b->single; backward++)
		if (b->anchors[backward].n > 0)
			cut(b, w, s, &p[backward], &p[!backward], backward);
	order(b);
	free(p[0].at);
	free(p[1].at);
	return other;
}

void
rows_free(struct layer_rows *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->at[i].start);
	free(b->at);
	for (int phase = 0; phase < 2; phase++)
		anchors_free(&b->anchors[phase]);
	*b = (struct layer_rows){ 0 };
}
