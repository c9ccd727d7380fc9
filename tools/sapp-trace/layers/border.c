#include "border.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { FRONT, BACK, MAX_GAPS = 64, MAX_PHRASES = 64 };

struct phrase {			/* kernels [from, from + n) on one side of an anchor */
	uint32_t anchor;	/* type of the anchor */
	size_t from, n;
	bool inside;		/* whether it was seen between two anchors of a row */
	bool sure;		/* whether its length is exact, or it is everything between an anchor and a transfer */
};

struct gap {			/* the kernels between two neighbouring anchors; equal gaps share one entry */
	size_t from, to;	/* its two anchors, as indices of kernels */
	size_t cut;		/* index of the first kernel of the second layer; 0: unknown */
};

struct border_state {
	const struct work *w;
	const struct sequence *s;
	const struct positions *anchors;
	bool guess;
	size_t ngaps, nphrases[2];
	struct gap gap[MAX_GAPS];
	struct phrase phrase[2][MAX_PHRASES];
};

static uint32_t
type(const struct border_state *t, size_t k)
{
	return t->w->at[k]->type;
}

static bool
same(const struct border_state *t, size_t a, size_t b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (type(t, a + i) != type(t, b + i))
			return false;
	return true;
}

/* Return the index of the gap that equals the gap between two anchors; MAX_GAPS: the list is full. */
static size_t
gap_of(struct border_state *t, size_t from, size_t to)
{
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct gap *g = &t->gap[i];

		if (g->to - g->from == to - from && same(t, g->from, from, to - from + 1))
			return i;
	}
	if (t->ngaps == MAX_GAPS)
		return MAX_GAPS;
	t->gap[t->ngaps] = (struct gap){ .from = from, .to = to };
	return t->ngaps++;
}

static bool
find_gaps(struct border_state *t, const struct row_room *r, size_t rows)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t a = r[i].first; a + 1 < r[i].first + r[i].n; a++)
			if (gap_of(t, t->anchors->at[a], t->anchors->at[a + 1]) == MAX_GAPS)
				return false;
	return true;
}

static bool
add_phrase(struct border_state *t, int side, size_t anchor, size_t from, size_t n, bool inside,
    bool sure)
{
	struct phrase *p = t->phrase[side];

	for (size_t i = 0; i < t->nphrases[side]; i++)
		if (p[i].anchor == type(t, anchor) && p[i].n == n && same(t, p[i].from, from, n)) {
			p[i].inside |= inside;
			p[i].sure |= sure;
			return true;
		}
	if (t->nphrases[side] == MAX_PHRASES)
		return false;
	p[t->nphrases[side]++] = (struct phrase){ type(t, anchor), from, n, inside, sure };
	return true;
}

/* Return whether a phrase lies on SIDE of an anchor, within ROOM kernels. */
static bool
stands(const struct border_state *t, const struct phrase *p, int side, size_t anchor, size_t room)
{
	return p->n <= room &&
	    same(t, p->from, side == FRONT ? anchor - p->n : anchor + 1, p->n);
}

/* Which phrases to consider. */
enum whose { ALL, SURE, INSIDE, OF_ANY };	/* OF_ANY: inside of rows, next to an anchor of any type */

/* Return the length of the longest phrase to consider next to an anchor; SIZE_MAX: none. */
static size_t
longest(const struct border_state *t, int side, size_t anchor, size_t room, enum whose whose)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < t->nphrases[side]; i++) {
		const struct phrase *p = &t->phrase[side][i];

		if ((whose == ALL || (whose == SURE && p->sure) || p->inside) &&
		    (whose == OF_ANY || p->anchor == type(t, anchor)) && stands(t, p, side, anchor, room) &&
		    (best == SIZE_MAX || p->n > best))
			best = p->n;
	}
	return best;
}

/*
 * Return the index at which a gap is divided; 0: no phrase is known. If the phrases of both sides do not match, use the
 * phrase before the anchor.
 */
static size_t
cut_of(const struct border_state *t, const struct gap *g, bool any)
{
	size_t room = g->to - g->from - 1, front = longest(t, FRONT, g->to, room, ALL),
	    back = longest(t, BACK, g->from, room, ALL);

	for (size_t i = 0; i < t->nphrases[FRONT]; i++)
		for (size_t k = 0; k < t->nphrases[BACK]; k++)
			if (t->phrase[FRONT][i].n + t->phrase[BACK][k].n == room &&
			    (any || (t->phrase[FRONT][i].anchor == type(t, g->to) &&
			    t->phrase[BACK][k].anchor == type(t, g->from))) &&
			    stands(t, &t->phrase[FRONT][i], FRONT, g->to, room) &&
			    stands(t, &t->phrase[BACK][k], BACK, g->from, room))
				return g->to - t->phrase[FRONT][i].n;
	if (front != SIZE_MAX)
		return g->to - front;
	return back != SIZE_MAX ? g->from + 1 + back : 0;
}

/* Derive other phrases from the known phrases, as long as any can be derived. */
static bool
spread(struct border_state *t)
{
	bool more = true, any = false;	/* any: consider phrases next to anchors of other types */
	size_t known = 0;

	for (size_t i = 0; i < t->ngaps; i++)
		t->gap[i].cut = 0;
	while (more || !any) {
		any |= !more;
		more = false;
		for (size_t i = 0; i < t->ngaps; i++) {
			struct gap *g = &t->gap[i];

			if (g->cut != 0 || (g->cut = cut_of(t, g, any)) == 0)
				continue;
			more = true;
			known++;
			if (!add_phrase(t, BACK, g->from, g->from + 1, g->cut - g->from - 1, true, true) ||
			    !add_phrase(t, FRONT, g->to, g->cut, g->to - g->cut, true, true))
				return false;
		}
	}
	return known == t->ngaps;
}

/*
 * Return the number of kernels between the outermost anchor of a row and the end of its layers on SIDE. It is taken
 * from phrases within rows, otherwise from the transfer that closes the row, otherwise from other rows. SIZE_MAX:
 * unknown.
 */
static size_t
side_of(const struct border_state *t, const struct row_room *r, int side)
{
	size_t anchor = t->anchors->at[side == FRONT ? r->first : r->first + r->n - 1],
	    room = side == FRONT ? anchor - r->from : r->to - anchor - 1,
	    n = longest(t, side, anchor, room, INSIDE);

	if (n == SIZE_MAX && r->closed[side])
		return room;
	/* A guessed phrase is wrong if it leaves a matrix product of a closed row outside of the row's layers. */
	if (n != SIZE_MAX && t->guess && r->closed[side] && (side == FRONT ?
	    work_role(t->w, t->s, r->from, anchor - n, ROLE_MATMUL) :
	    work_role(t->w, t->s, anchor + 1 + n, r->to, ROLE_MATMUL)))
		return SIZE_MAX;
	if (n == SIZE_MAX)
		n = longest(t, side, anchor, room, SURE);
	return n == SIZE_MAX ? longest(t, side, anchor, room, OF_ANY) : n;
}

static bool
fill(struct border_state *t, struct row_room *r, size_t rows, size_t start[])
{
	for (size_t i = 0; i < rows; i++) {
		size_t front = side_of(t, &r[i], FRONT), back = side_of(t, &r[i], BACK), last = r[i].first + r[i].n - 1;

		if (front == SIZE_MAX || back == SIZE_MAX)
			return false;
		start[r[i].first] = t->anchors->at[r[i].first] - front;
		r[i].end = t->anchors->at[last] + 1 + back;
		for (size_t a = r[i].first; a < last; a++) {
			const struct gap *g = &t->gap[gap_of(t, t->anchors->at[a], t->anchors->at[a + 1])];

			start[a + 1] = t->anchors->at[a] + (g->cut - g->from);
		}
	}
	return true;
}

/* Return the number of kernels on SIDE of anchor A that are equal on that side of anchor B, at most ROOM. */
static size_t
common(const struct border_state *t, int side, size_t a, size_t b, size_t room)
{
	size_t n = 0;

	while (n < room && (side == FRONT ? type(t, a - n - 1) == type(t, b - n - 1) :
	    type(t, a + n + 1) == type(t, b + n + 1)))
		n++;
	return n;
}

/* minimum fraction of the only kind of gap that must be found at both ends of a row */
static const double fits = 0.75;

/* Return whether a layer at the end of a row differs from the layers within rows, which are of one kind. */
static bool
unlike(const struct border_state *t, const struct row_room *r)
{
	const struct gap *g = &t->gap[0];
	size_t first = t->anchors->at[r->first], last = t->anchors->at[r->first + r->n - 1], room = g->to - g->from - 1;
	size_t front = first - r->from < room ? first - r->from : room,
	    back = r->to - last - 1 < room ? r->to - last - 1 : room;

	front = common(t, FRONT, first, g->to, front);
	back = common(t, BACK, last, g->from, back);
	/* The profile begins or ends within a layer. */
	if (first - front == 0 || last + back + 1 == t->w->n)
		return false;
	return (double)(front + back) < fits * (double)room;
}

/* Return the number of kernels before the first anchor of a row that are equal before another anchor of its type. */
static size_t
common_front(const struct border_state *t, const struct row_room *r)
{
	size_t anchor = t->anchors->at[r->first], most = 0;

	for (size_t i = 0; i < t->ngaps; i++) {
		const struct gap *g = &t->gap[i];
		size_t room = anchor - r->from < g->to - g->from - 1 ? anchor - r->from : g->to - g->from - 1,
		    n = type(t, g->to) == type(t, anchor) ? common(t, FRONT, anchor, g->to, room) : 0;

		most = n > most ? n : most;
	}
	return most;
}

bool
borders_find(const struct work *w, const struct sequence *s, const struct positions *anchors, struct row_room *r,
    size_t rows, size_t start[], bool *vague)
{
	struct border_state t = { .w = w, .s = s, .anchors = anchors };

	if (rows == 0 || !find_gaps(&t, r, rows))
		return false;
	for (size_t i = 0; i < rows; i++)
		for (int side = FRONT; side <= BACK; side++) {
			size_t anchor = anchors->at[side == FRONT ? r[i].first : r[i].first + r[i].n - 1];
			size_t edge = r[i].closed[side] ? side == FRONT ? r[i].from : r[i].to :
			    side == FRONT ? SIZE_MAX : r[i].edge;
			size_t from = side == FRONT ? edge : anchor + 1, to = side == FRONT ? anchor : edge;

			if (edge != SIZE_MAX &&
			    !add_phrase(&t, side, anchor, from, to - from, false, r[i].closed[side]))
				return false;
		}
	if (spread(&t) && fill(&t, r, rows, start))
		return true;
	/* No row is closed, or rows have other kernels. Try the longest start of a layer that fits all gaps. */
	t.guess = true;
	for (size_t n = common_front(&t, &r[0]); n > 0; n--) {
		t.nphrases[FRONT] = t.nphrases[BACK] = 0;
		add_phrase(&t, FRONT, anchors->at[r[0].first], anchors->at[r[0].first] - n, n, false,
		    false);
		if (spread(&t) && fill(&t, r, rows, start))
			return true;
	}
	*vague |= t.ngaps > 1;
	for (size_t i = 0; i < rows && t.ngaps == 1; i++)
		*vague |= unlike(&t, &r[i]);
	return false;
}
