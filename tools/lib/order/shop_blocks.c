#include "shop_blocks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { PERIOD = 6, STEPS = 5, TURNS = 6 };

/* Return the slot on a stage of the block's operation in queue K. */
static int
slot_of(const struct vblock *b, int stages, int stage, int k)
{
	int last = stages - 1, f1 = last * b->step[0] + b->turn[0], b1 = f1 + last * b->step[1] + b->turn[1];

	switch (k) {
	case 0:
		return stage * b->step[0];
	case 2:
		return f1 + (last - stage) * b->step[1];
	case 3:
		return b1 + stage * b->step[2];
	default:
		return b1 + last * b->step[2] + b->turn[2] + (last - stage) * b->step[3];
	}
}

/*
 * Return whether the operation in queue K collides with one of those in BEFORE[N] on any stage. Slots on stages repeat
 * after PERIOD stages.
 */
static bool
collides(const struct vblock *b, int stages, int k, const int *before, int n)
{
	for (int s = 0; s < stages && s < PERIOD; s++)
		for (int i = 0; i < n; i++)
			if ((slot_of(b, stages, s, k) - slot_of(b, stages, s, before[i])) % PERIOD == 0)
				return true;
	return false;
}

/* Return the number of operations begun by SLOT, if the first starts in slot FIRST and one follows in each period. */
static int
begun(int first, int slot)
{
	return slot < first ? 0 : (slot - first) / PERIOD + 1;
}

/* Return whether a stage stays within its memory limit in the steady state. */
static bool
fits(const struct shop *j, const struct vblock *b, int stage)
{
	int slot[QUEUES], from = b->length + PERIOD, waiting = 0;
	const double *activation = j->activation + 2 * stage, *kept = j->kept + 2 * stage;
	double owed;

	for (int k = 0; k < QUEUES; k++)
		slot[k] = slot_of(b, j->stages, stage, k);
	owed = kept[0] > kept[1] ? kept[0] : kept[1];
	for (int t = from - from % PERIOD; t < from + 3 * PERIOD; t++) {
		double memory = waiting * owed;
		bool busy = false;

		for (int k = 0; k < QUEUES; k++)
			busy |= (t - slot[k]) % PERIOD == 0;
		for (int v = 0; v < 2; v++)
			memory += activation[v] * (begun(slot[2 * v], t) - begun(slot[2 * v + 1], t - 1));
		if (memory > j->limit[stage])
			return false;
		for (int v = 0; v < 2; v++)
			waiting += (t - slot[2 * v + 1]) % PERIOD == 0;
		waiting -= !busy && waiting > 0;
	}
	return true;
}

static int
shorter(const void *a, const void *b)
{
	const struct vblock *x = a, *y = b;

	return x->length != y->length ? x->length - y->length
	    : memcmp(x->step, y->step, sizeof x->step + sizeof x->turn);
}

static void
add_returns(const struct shop *j, struct vblock b, struct vblocks *all)
{
	static const int before[] = { 0, 2, 3 };

	for (b.turn[2] = 1; b.turn[2] <= TURNS; b.turn[2]++)
		for (b.step[3] = 1; b.step[3] <= STEPS; b.step[3]++) {
			if (collides(&b, j->stages, 1, before, 3))
				continue;
			b.length = slot_of(&b, j->stages, 0, 1) + 1;
			*APPEND(all->at, all->n) = b;
		}
}

/* List all blocks without collisions. */
static struct vblocks
list_blocks(const struct shop *j)
{
	static const int before[] = { 0, 2 };
	struct vblocks all = { 0 };
	struct vblock b = { .length = 0 };

	for (b.step[0] = 1; b.step[0] <= STEPS; b.step[0]++)
		for (b.turn[0] = 1; b.turn[0] <= TURNS; b.turn[0]++)
			for (b.step[1] = 1; b.step[1] <= STEPS; b.step[1]++) {
				if (collides(&b, j->stages, 2, before, 1))
					continue;
				for (b.turn[1] = 1; b.turn[1] <= TURNS; b.turn[1]++)
					for (b.step[2] = 1; b.step[2] <= STEPS; b.step[2]++)
						if (!collides(&b, j->stages, 3, before, 2))
							add_returns(j, b, &all);
			}
	return all;
}

struct vblocks
shop_blocks(const struct shop *j, int n)
{
	struct vblocks all = list_blocks(j);
	int some = 0;

	qsort(all.at, (size_t)all.n, sizeof *all.at, shorter);
	for (int i = 0; i < all.n && some < n; i++) {
		bool fit = true;

		for (int s = 0; s < j->stages && fit; s++)
			fit = fits(j, &all.at[i], s);
		if (fit)
			all.at[some++] = all.at[i];
	}
	all.n = some;
	return all;
}

/* Write the order of a stage: forwards and backwards in their slots, W in the remaining slots. */
static void
lay(const struct shop *j, const double *slot, struct op *op)
{
	int next[QUEUES] = { 0 }, waiting = 0;
	const struct op *unpaid = op;
	double now = 0;

	for (;;) {
		int k = -1;
		double least = INT_MAX;

		for (int q = 0; q < QUEUES; q++)
			if (next[q] < j->micro && slot[q * j->micro + next[q]] < least) {
				k = q;
				least = slot[q * j->micro + next[q]];
			}
		for (; waiting > 0 && now < least; now++, waiting--) {
			while (unpaid->phase != PHASE_I)
				unpaid++;
			*op = *unpaid++;
			op++->phase = PHASE_W;
		}
		if (k < 0)
			return;
		*op++ = (struct op){ .micro = (uint32_t)next[k]++, .chunk = (uint16_t)(k / 2),
		    .phase = (uint8_t)(k % 2 ? PHASE_I : PHASE_F) };
		waiting += k % 2;
		now = least + 1;
	}
}

void
shop_block_lay(const struct shop *j, const struct vblock *b, double *slot, struct schedule *s)
{
	for (int i = 0; i < j->stages; i++) {
		double *at = slot + (size_t)i * QUEUES * (size_t)j->micro;

		for (int k = 0; k < QUEUES; k++)
			for (int m = 0; m < j->micro; m++)
				at[k * j->micro + m] = slot_of(b, j->stages, i, k) + PERIOD * m;
		lay(j, at, s->op + s->first[i]);
	}
}
