#include "shop_reorder.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/* Symbols in a slot: a queue of the stage, a W of either chunk, or none. */
enum { F0, I0, F1, I1, W0, W1, SYMBOLS, NONE = SYMBOLS };

struct reorder_row {
	uint8_t *cell;		/* [slots] */
	int n;			/* number of slots in use */
	int done[SYMBOLS];	/* number of operations of each symbol before the current slot */
	int live;		/* number of pieces in flight at the current slot */
};

struct shop_reorder {
	struct shop unit;	/* the shop with operations of 1 slot and transfers of 0 */
	struct reorder_row *row;	/* [stage] */
	int slots;
	int *at;		/* slot of each operation, [stage][queue][micro]; -1: none yet */
};

struct shop_reorder *
shop_reorder_new(const struct shop *j)
{
	struct shop_reorder *r = xcalloc(1, sizeof *r);
	size_t times = (size_t)(j->stages * j->chunks * PHASES);

	*r = (struct shop_reorder){ .unit = *j, .slots = 12 * j->micro + 24 * j->stages };
	r->unit.time = xcalloc(times, sizeof *r->unit.time);
	for (size_t i = 0; i < times; i++)
		r->unit.time[i] = 1;
	r->unit.tail = xcalloc((size_t)j->stages, sizeof *r->unit.tail);
	r->row = xcalloc((size_t)j->stages, sizeof *r->row);
	for (int s = 0; s < j->stages; s++)
		r->row[s].cell = xcalloc((size_t)r->slots, 1);
	r->at = xcalloc((size_t)(j->stages * j->queues) * (size_t)j->micro, sizeof *r->at);
	return r;
}

void
shop_reorder_free(struct shop_reorder *r)
{
	for (int s = 0; s < r->unit.stages; s++)
		free(r->row[s].cell);
	free(r->row);
	free(r->unit.time);
	free(r->unit.tail);
	free(r->at);
	free(r);
}

/*
 * Put each operation of an order into the earliest possible slot. Return false if the order has a cycle or is too long.
 */
static bool
read_order(struct shop_reorder *r, const struct schedule *s)
{
	const struct shop *j = &r->unit;
	double step[SHOP_LANES];

	if (!shop_steps(&r->unit, s, step) || step[0] > r->slots)
		return false;
	for (int i = 0; i < j->stages; i++) {
		struct reorder_row *row = &r->row[i];

		memset(row->cell, NONE, (size_t)r->slots);
		row->n = 0;
		for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
			struct op op = s->op[at];
			int k = queue_number(op);
			size_t end = (size_t)(i * j->queues + k) * (size_t)j->micro + op.micro;

			if (op.phase != PHASE_W)
				row->n = (int)j->end[end].at[0] - 1;
			row->cell[row->n++] = op.phase == PHASE_W ? W0 + (uint8_t)op.chunk : (uint8_t)k;
		}
	}
	return true;
}

/*
 * Write the order, with the micro-batches in sequence and each W in the sequence of the B. Return false if a W precedes
 * its B.
 */
static bool
write_order(const struct shop_reorder *r, struct schedule *s)
{
	for (int i = 0; i < r->unit.stages; i++) {
		const struct reorder_row *row = &r->row[i];
		struct op *op = s->op + s->first[i];
		const struct op *unpaid = op;
		uint32_t next[W0] = { 0 };

		for (int at = 0; at < row->n; at++) {
			int k = row->cell[at];

			if (k == NONE)
				continue;
			if (k >= W0) {
				while (unpaid < op && unpaid->phase != PHASE_I)
					unpaid++;
				if (unpaid == op)
					return false;
				*op = *unpaid++;
				op++->phase = PHASE_W;
			} else {
				*op++ = (struct op){ .micro = next[k]++, .chunk = (uint16_t)(k / 2),
				    .phase = (uint8_t)(k % 2 ? PHASE_I : PHASE_F) };
			}
		}
	}
	return true;
}

/*
 * Fill a stage before the first B of chunk 0. The stage runs all forwards that fit its memory. From the first forward
 * of chunk 1 on, forwards alternate between chunks. Each B is followed by its W and a forward.
 */
static void
fill(struct shop_reorder *r, int stage, int pieces)
{
	struct reorder_row *row = &r->row[stage];
	int left[SYMBOLS] = { 0 }, out = 0, n, back = stage + 1 < pieces / 2 ? stage + 1 : pieces / 2;
	int most[2] = { pieces - back, back };

	for (n = 0; n < row->n && row->cell[n] != I0; n++)
		if (row->cell[n] != NONE) {
			left[row->cell[n]]++;
			row->cell[n] = NONE;
		}
	for (int i = 0; i < 2 * (r->unit.stages - 1 - stage) + 2 * (stage + 1); i++) {
		int v = i >= 2 * (r->unit.stages - 1 - stage) && i % 2;

		if (most[v] > 0 && left[2 * v] > 0) {
			row->cell[out++] = (uint8_t)(2 * v);
			most[v]--;
			left[2 * v]--;
		}
	}
	while (out < n && left[F0] + left[F1] + left[I1] + left[W1] > 0) {
		int forward = left[F1] > 0 ? F1 : F0;

		if (left[I1]-- > 0)
			row->cell[out++] = I1;
		if (left[W1]-- > 0)
			row->cell[out++] = W1;
		if (left[forward]-- > 0)
			row->cell[out++] = (uint8_t)forward;
		for (int k = 0; k < SYMBOLS; k++)
			left[k] = left[k] > 0 ? left[k] : 0;
	}
}

/* Remove up to MOST operations of a symbol from the end of a row. Return the number removed. */
static int
take(struct reorder_row *row, int symbol, int most)
{
	int n = 0;

	for (int at = row->n - 1; at >= 0 && n < most; at--)
		if (row->cell[at] == symbol) {
			row->cell[at] = NONE;
			n++;
		}
	return n;
}

/*
 * Drain a stage after its last forward. The last B of both chunks alternate as their data arrive, with W in the slots
 * between.
 */
static bool
drain(struct shop_reorder *r, int stage, int pieces, int last)
{
	const struct shop *j = &r->unit;
	struct reorder_row *row = &r->row[stage];
	int most = (pieces + 1) / 2 < j->micro ? (pieces + 1) / 2 : j->micro, rest = pieces - most, w = 0;
	int first = take(row, I0, most), second = take(row, I1, stage + 1 < rest ? stage + 1 : rest);
	int owed[2] = { 0 }, left[2] = { first, second };

	for (int at = row->n - 1, n = 0; at >= 0 && (left[0] > 0 || left[1] > 0 || n < pieces); at--)
		if (row->cell[at] == W0 || row->cell[at] == W1) {
			left[row->cell[at] - W0]--;
			row->cell[at] = NONE;
			n++;
		}
	for (int k = 0; k < first + second; k++) {
		int at = k < first ? last - stage + 2 * j->stages - 2 * k : last + 1 + stage - 2 * (k - first);

		if (at < 0 || at >= r->slots || row->cell[at] != NONE)
			return false;
		row->cell[at] = k < first ? I0 : I1;
		row->n = at >= row->n ? at + 1 : row->n;
	}
	for (int at = 0; at < row->n; at++)
		w = row->cell[at] == W0 || row->cell[at] == W1 ? at : w;
	for (int at = 0; at < row->n || owed[0] + owed[1] > 0; at++) {
		if (at == r->slots)
			return false;
		if (row->cell[at] == NONE && at > w && owed[0] + owed[1] > 0)
			row->cell[at] = owed[1] > 0 ? W1 : W0;
		for (int v = 0; v < 2; v++)
			owed[v] += (row->cell[at] == I0 + 2 * v) - (row->cell[at] == W0 + v);
		row->n = at >= row->n ? at + 1 : row->n;
	}
	return true;
}

static int
held(int symbol)
{
	return symbol == F0 || symbol == F1 ? 1 : symbol == W0 || symbol == W1 ? -1 : 0;
}

/* Return whether the data of a symbol's next operation are available in SLOT. */
static bool
there(const struct shop_reorder *r, int stage, int symbol, int slot)
{
	const struct shop *j = &r->unit;
	const struct reorder_row *row = &r->row[stage];
	int m = row->done[symbol], at;
	struct feed feed;

	if (symbol >= W0)
		return m < row->done[symbol == W0 ? I0 : I1];
	feed = queue_feed(j, stage, symbol);
	if (feed.stage < 0)
		return true;
	at = r->at[(size_t)(feed.stage * j->queues + feed.queue) * (size_t)j->micro + (size_t)m];
	return at >= 0 && at < slot;
}

/*
 * Return the symbol of an operation in a later slot that can run in SLOT, without more than PIECES in flight
 * afterwards; or NONE.
 */
static int
earlier(struct shop_reorder *r, int stage, int slot, int pieces)
{
	const struct shop *j = &r->unit;
	struct reorder_row *row = &r->row[stage];
	int change = 0, most = 0, open = 0;

	for (int k = 0; k < SYMBOLS; k++)
		open |= (row->done[k] < j->micro) << k;
	for (int at = slot + 1; at < row->n && open != 0; at++) {
		int k = row->cell[at], before = most;

		if (k == NONE)
			continue;
		change += held(k);
		most = change > most ? change : most;
		if (!(open >> k & 1))
			continue;
		open &= ~(1 << k);
		if ((held(k) > 0 && row->live + before >= pieces) || !there(r, stage, k, slot))
			continue;
		row->cell[at] = NONE;
		return k;
	}
	return NONE;
}

static void
backfill(struct shop_reorder *r, int pieces)
{
	const struct shop *j = &r->unit;
	int n = 0;

	for (int i = 0; i < j->stages * j->queues * j->micro; i++)
		r->at[i] = -1;
	for (int i = 0; i < j->stages; i++) {
		memset(r->row[i].done, 0, sizeof r->row[i].done);
		r->row[i].live = 0;
		n = r->row[i].n > n ? r->row[i].n : n;
	}
	for (int slot = 0; slot < n; slot++)
		for (int i = 0; i < j->stages; i++) {
			struct reorder_row *row = &r->row[i];
			int k = slot < row->n ? row->cell[slot] : NONE;

			if (slot >= row->n || (k == NONE && (k = earlier(r, i, slot, pieces)) == NONE))
				continue;
			row->cell[slot] = (uint8_t)k;
			row->live += held(k);
			if (k < W0)
				r->at[(size_t)(i * j->queues + k) * (size_t)j->micro + (size_t)row->done[k]] = slot;
			row->done[k]++;
		}
}

/* Return the maximum number of pieces that a stage holds in the order. */
static int
most_held(const struct shop_reorder *r)
{
	int most = 0;

	for (int i = 0; i < r->unit.stages; i++) {
		int live = 0;

		for (int at = 0; at < r->row[i].n; at++) {
			live += r->row[i].cell[at] == NONE ? 0 : held(r->row[i].cell[at]);
			most = live > most ? live : most;
		}
	}
	return most;
}

bool
shop_reorder(struct shop_reorder *r, struct schedule *s, int pieces)
{
	int last = 0, most;

	if (!read_order(r, s))
		return false;
	most = most_held(r);
	pieces = most < pieces ? most : pieces;
	for (int i = 0; i < r->unit.stages; i++)
		fill(r, i, pieces);
	if (!write_order(r, s) || !read_order(r, s))
		return false;
	most = most_held(r);
	for (int at = 0; at < r->row[0].n; at++)
		last = r->row[0].cell[at] == F1 ? at : last;
	for (int i = 0; i < r->unit.stages; i++)
		if (!drain(r, i, most, last))
			return false;
	if (!write_order(r, s) || !read_order(r, s))
		return false;
	backfill(r, most_held(r));
	return write_order(r, s);
}
