#include "single.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/sorted.h"

struct single_room {			/* kernels of a row on one side of its anchor */
	size_t n;		/* number of kernels up to a transfer or another anchor */
	bool closed;		/* whether it ends at a transfer and has only kernels of the layer */
};

struct single_state {
	struct layer_rows *rows;
	const struct work *w;
	const struct sequence *s;
	bool first, last;	/* whether the stage has the model's first layer, and its last layer */
	struct single_room (*room)[2];	/* [rows] */
};

static uint64_t
name_hash(const struct sequence *s, uint32_t type)
{
	return hash_text(s->type[type].name, s->type[type].length, 0) | 1;
}

/* Return the type of the kernel at DISTANCE from an anchor on SIDE. */
static uint32_t
type_at(const struct work *w, size_t anchor, int side, size_t distance)
{
	return w->at[side == BEFORE ? anchor - distance : anchor + distance]->type;
}

/* Set an edge from a step. Later steps may confirm it. */
static void
edge_set(struct edge *e, const struct work *w, const struct sequence *s, size_t anchor, int side, size_t n)
{
	free(e->kernel);
	*e = (struct edge){ true, n, xcalloc(n, sizeof *e->kernel) };
	for (size_t i = 0; i < n; i++)
		e->kernel[i] = name_hash(s, type_at(w, anchor, side, i + 1));
}

void
layer_model_of(struct layer_model *m, const struct layer_rows *r, const struct work *w, const struct sequence *s)
{
	for (int phase = 0; phase < 2; phase++) {
		const struct layer_shape *x = &r->shape[phase];

		if (r->anchors[phase].n == 0 || x->period == 0 || x->before > x->model ||
		    x->behind >= w->n - x->model)
			continue;
		m->anchor[phase] = name_hash(s, r->anchors[phase].first);
		edge_set(&m->edge[phase][BEFORE], w, s, x->model, BEFORE, x->before);
		edge_set(&m->edge[phase][BEHIND], w, s, x->model, BEHIND, x->behind);
	}
}

void
layer_model_add(struct layer_model *m, const struct layer_model *from)
{
	for (int phase = 0; phase < 2; phase++) {
		if (m->anchor[phase] == 0)
			m->anchor[phase] = from->anchor[phase];
		for (int side = 0; side < 2 && m->anchor[phase] == from->anchor[phase]; side++) {
			const struct edge *e = &from->edge[phase][side];
			struct edge *to = &m->edge[phase][side];

			if (to->known || !e->known)
				continue;
			*to = (struct edge){ true, e->n, xcalloc(e->n, sizeof *to->kernel) };
			for (size_t i = 0; i < e->n; i++)
				to->kernel[i] = e->kernel[i];
		}
	}
}

void
layer_model_free(struct layer_model *m)
{
	for (int phase = 0; phase < 2; phase++)
		for (int side = 0; side < 2; side++)
			free(m->edge[phase][side].kernel);
	*m = (struct layer_model){ 0 };
}

/* Return the border of row R on SIDE. Kernels beyond the border do not belong to the row. */
static size_t
border(const struct single_state *t, size_t r, int side, bool *transfer)
{
	const struct layer_rows *b = t->rows;
	const struct work *w = t->w;
	size_t at, sent;

	if (side == BEFORE) {
		at = r > 0 ? b->at[r - 1].anchor + 1 : 0;
		sent = positions_last(&w->transfers, b->at[r].anchor);
		*transfer = sent > at;
		return *transfer ? sent - 1 : at;
	}
	at = r + 1 < b->n ? b->at[r + 1].anchor : w->n;
	sent = positions_first(&w->transfers, b->at[r].anchor + 1);
	*transfer = sent <= at;
	return *transfer ? sent : at;
}

/* Return whether an end of the model is on SIDE of a row. */
static bool
at_end(const struct single_state *t, bool backward, int side)
{
	return (side == BEFORE) != backward ? t->first : t->last;
}

static struct single_room
room_of(const struct single_state *t, size_t r, int side)
{
	const struct layer_row *x = &t->rows->at[r];
	struct single_room room = { .n = 0 };
	bool end = at_end(t, x->backward, side);
	size_t at = border(t, r, side, &room.closed);

	room.closed &= !end;
	room.n = side == BEFORE ? x->anchor - at : at - x->anchor - 1;
	return room;
}

/*
 * Find which ends of the model this stage has: as given, or from an embedding and rows without transfers between them.
 */
static void
find_ends(struct single_state *t, int stage, int stages)
{
	const struct layer_rows *b = t->rows;
	bool turns[2] = { false, false }, transfer, embeds = false;

	for (size_t r = 0; r < b->n; r++) {
		size_t at = border(t, r, BEFORE, &transfer);

		if (r > 0 && !transfer && b->at[r - 1].backward != b->at[r].backward)
			turns[b->at[r].backward] = true;
		embeds |= !b->at[r].backward && work_role(t->w, t->s, at, b->at[r].anchor, ROLE_EMBEDDING);
	}
	t->first = stage >= 0 ? stage == 0 : embeds || turns[0];
	t->last = stage >= 0 ? stage == stages - 1 : turns[1];
}

static bool
same_edge(const struct edge *e, const struct single_state *t, size_t anchor, int side)
{
	for (size_t i = 0; i < e->n; i++)
		if (name_hash(t->s, type_at(t->w, anchor, side, i + 1)) != e->kernel[i])
			return false;
	return true;
}

/* Find the edge that most of the closed rows of a phase have on SIDE. */
static void
find_edge(const struct single_state *t, bool backward, int side, struct edge *e)
{
	const struct layer_rows *b = t->rows;
	size_t closed = 0, most = 0, best = 0, length = 0;

	for (size_t r = 0; r < b->n; r++) {
		const struct single_room *x = &t->room[r][side];
		size_t alike = 0;

		if (b->at[r].backward != backward || !x->closed)
			continue;
		closed++;
		for (size_t q = 0; q < b->n; q++)
			alike += b->at[q].backward == backward && t->room[q][side].closed &&
			    t->room[q][side].n == x->n;
		if (alike > most) {
			most = alike;
			best = b->at[r].anchor;
			length = x->n;
		}
	}
	if (2 * most > closed)
		edge_set(e, t->w, t->s, best, side, length);
}

static double
time_of(const struct single_state *t, size_t from, size_t to)
{
	return (double)(t->w->at[to - 1]->end - t->w->at[from]->start) / 1e6;
}

static char *
not_told(const struct single_state *t, size_t r, int side, const struct edge *e)
{
	const struct single_room *room = &t->room[r][side];
	const struct layer_row *x = &t->rows->at[r];
	const char *what = x->backward ? "backward" : "forward", *where = side == BEFORE ? "begins" : "ends";
	size_t from = side == BEFORE ? x->anchor - room->n : x->anchor, to = from + room->n + 1;
	char *figures = xasprintf("%zu kernels, %.6g ms, %s %.60s of %s %zu", room->n, time_of(t, from, to),
	    side == BEFORE ? "before" : "behind", t->s->type[t->rows->anchors[x->backward].first].name, what,
	    r + 1);
	char *why;

	if (e->known)
		why = xasprintf("it is unknown where the layer %s: its %s differ from other rows; if layers are of "
		    "several kinds, also give the profile of another stage, or mark layers by spans", where, figures);
	else
		why = xasprintf("with one layer per row it is unknown where it %s, as no transfer separates it from "
		    "the model's %s: %s; also give the profile of another stage, or of a stage with two layers or more",
		    where, (side == BEFORE) != x->backward ? "embedding" : "output and loss", figures);
	free(figures);
	return why;
}

/* Return the number of kernels of row R on SIDE of its anchor; SIZE_MAX: unknown, with the reason in *WHY. */
static size_t
extent(const struct single_state *t, size_t r, int side, const struct edge *e, char **why)
{
	const struct single_room *room = &t->room[r][side];

	if (e->known && room->n >= e->n && same_edge(e, t, t->rows->at[r].anchor, side))
		return e->n;
	if (room->closed)
		return room->n;
	*why = not_told(t, r, side, e);
	return SIZE_MAX;
}

bool
single_rows(struct layer_rows *b, const struct work *w, const struct sequence *s, int stage, int stages,
    const struct layer_model *others, struct layer_model *own, char **why)
{
	struct single_state t = { .rows = b, .w = w, .s = s };
	struct layer_model all = { 0 };
	size_t (*reach)[2] = xcalloc(b->n + 1, sizeof *reach);
	bool good = true;

	t.room = xcalloc(b->n + 1, sizeof *t.room);
	find_ends(&t, stage, stages);
	for (size_t r = 0; r < b->n; r++)
		for (int side = 0; side < 2; side++)
			t.room[r][side] = room_of(&t, r, side);
	for (int phase = 0; phase < 2; phase++)
		if (b->anchors[phase].n > 0 && b->found[phase] > 0) {
			own->anchor[phase] = name_hash(s, b->anchors[phase].first);
			for (int side = 0; side < 2; side++)
				find_edge(&t, phase, side, &own->edge[phase][side]);
		}
	layer_model_add(&all, own);
	if (others != NULL)
		layer_model_add(&all, others);
	for (size_t r = 0; r < b->n && good; r++)
		for (int side = 0; side < 2 && good; side++) {
			reach[r][side] = extent(&t, r, side, &all.edge[b->at[r].backward][side], why);
			good = reach[r][side] != SIZE_MAX;
		}
	for (size_t r = 0; r < b->n && good; r++) {
		struct layer_row *x = &b->at[r];

		x->start[0] = x->anchor - reach[r][BEFORE];
		x->end = x->anchor + 1 + reach[r][BEHIND];
		b->shape[x->backward].period = x->end - x->start[0];
	}
	layer_model_free(&all);
	free(reach);
	free(t.room);
	return good;
}
