/* Building blocks, and orders of few micro-batches made into those of many. */
#include "schedule_block.h"

#include <limits.h>
#include <string.h>

#include "scheme.h"

/* How far each chunk's forwards, backwards and weights' gradients have come. */
struct progress {
	struct op *op;
	int micro;
	int next[PHASES][2];
};

static void
step(struct progress *p, enum phase phase, int chunk)
{
	*p->op++ = op_of(phase, chunk, p->next[phase][chunk]++);
}

static long
forward_slot(const struct block *b, int chunk, int m, int micro)
{
	return b->forward[chunk] + (long)BLOCK_PERIOD * m + (m == 0 && micro > 1 ? b->shift : 0);
}

static long
backward_slot(const struct block *b, int chunk, int m, int micro)
{
	return b->backward[chunk] + (long)BLOCK_PERIOD * m - (m == micro - 1 && micro > 1 ? b->shift : 0);
}

/* When the next operation of each kind begins. */
struct slots {
	long forward[2], backward[2];
};

static long
earliest(const struct slots *s)
{
	long slot = LONG_MAX;

	for (int v = 0; v < 2; v++) {
		slot = s->forward[v] < slot ? s->forward[v] : slot;
		slot = s->backward[v] < slot ? s->backward[v] : slot;
	}
	return slot;
}

/* Run what begins in this slot. */
static void
run_slot(struct progress *p, const struct block *block, struct slots *next, long slot)
{
	for (int v = 0; v < 2; v++) {
		if (next->forward[v] == slot) {
			step(p, PHASE_F, v);
			next->forward[v] = p->next[PHASE_F][v] < p->micro
			    ? forward_slot(block, v, p->next[PHASE_F][v], p->micro) : LONG_MAX;
		}
		if (next->backward[v] == slot) {
			step(p, PHASE_I, v);
			next->backward[v] = p->next[PHASE_I][v] < p->micro
			    ? backward_slot(block, v, p->next[PHASE_I][v], p->micro) : LONG_MAX;
		}
	}
}

/* The weights' gradients that have waited longest, of operations from UNPAID on. */
static const struct op *
weight(struct progress *p, const struct op *unpaid)
{
	while (unpaid->phase != PHASE_I)
		unpaid++;
	step(p, PHASE_W, unpaid->chunk);
	return unpaid + 1;
}

static bool
owes(const struct progress *p)
{
	return p->next[PHASE_I][0] + p->next[PHASE_I][1] > p->next[PHASE_W][0] + p->next[PHASE_W][1];
}

static struct slots
first_slots(const struct block *block, int micro)
{
	struct slots next;

	for (int v = 0; v < 2; v++) {
		next.forward[v] = forward_slot(block, v, 0, micro);
		next.backward[v] = backward_slot(block, v, 0, micro);
	}
	return next;
}

struct op *
block_lay(const struct block *block, int micro, struct op *op)
{
	struct progress p = { .op = op, .micro = micro };
	struct slots next = first_slots(block, micro);
	const struct op *unpaid = op;
	long slot = 0, begins;

	for (; (begins = earliest(&next)) < LONG_MAX; slot = begins + 1) {
		for (; slot < begins && owes(&p); slot++)
			unpaid = weight(&p, unpaid);
		run_slot(&p, block, &next, begins);
	}
	while (owes(&p))
		unpaid = weight(&p, unpaid);
	return p.op;
}

/* At the last one, nothing yet is as it is only because no micro-batch comes behind the last one. */
static long
cut_slot(int micro, int before_last)
{
	return (long)BLOCK_PERIOD * (micro - 1 - before_last);
}

struct op *
block_lay_bare(const struct block *block, int micro, struct op *op, struct unlaid *unlaid)
{
	struct progress p = { .op = op, .micro = micro };
	struct slots next = first_slots(block, micro);
	long slot = 0, begins;
	int due[2] = { -1, -1 };	/* from each end of the last period on */

	unlaid->most = 0;
	for (; (begins = earliest(&next)) < LONG_MAX; slot = begins + 1) {
		int owed = p.next[PHASE_I][0] + p.next[PHASE_I][1] - p.next[PHASE_W][0], live;

		for (int i = 0; i < 2; i++)
			if (due[i] < 0 && begins >= cut_slot(micro, 1 - i))
				due[i] = owed;
		p.next[PHASE_W][0] += owed < begins - slot ? owed : (int)(begins - slot);
		run_slot(&p, block, &next, begins);
		live = p.next[PHASE_F][0] + p.next[PHASE_F][1] - p.next[PHASE_W][0];
		unlaid->most = live > unlaid->most ? live : unlaid->most;
	}
	unlaid->settled = due[0] == due[1];
	return p.op;
}

/* How often what begins in slot FIRST and every period from there on has begun before a slot. */
static int
begun(int first, long slot)
{
	return slot <= first ? 0 : (int)((slot - first + BLOCK_PERIOD - 1) / BLOCK_PERIOD);
}

static struct cut
cut_new(const struct block *b, long slot, const struct op *order)
{
	struct cut c = { .at = 0 };
	int all = 0;

	for (int v = 0; v < 2; v++) {
		c.begun[0][v] = begun(b->forward[v], slot);
		c.begun[1][v] = begun(b->backward[v], slot);
		all += c.begun[0][v] + c.begun[1][v];
	}
	while (all > 0)
		all -= order[c.at++].phase != PHASE_W;
	return c;
}

struct period
block_period(const struct block *b, int micro, const struct op *order)
{
	return (struct period){ cut_new(b, cut_slot(micro, 1), order), cut_new(b, cut_slot(micro, 0), order) };
}

/* Backwards whose weights' gradients are due. */
static int
due(const struct cut *c)
{
	int back = c->begun[1][0] + c->begun[1][1], weights = (int)c->at - back - c->begun[0][0] - c->begun[0][1];

	return back - weights;
}

bool
period_settled(const struct period *p, const struct op *order)
{
	size_t a = p->from.at, b = p->to.at;

	/* The first forward of a chunk may be late by the shift. */
	for (int v = 0; v < 2; v++)
		if (p->from.begun[0][v] < 2 || p->from.begun[1][v] < 1)
			return false;
	if (due(&p->from) != due(&p->to))
		return false;
	for (int n = due(&p->from); n > 0; n--) {
		while (order[--a].phase != PHASE_I)
			continue;
		while (order[--b].phase != PHASE_I)
			continue;
		if (order[a].chunk != order[b].chunk || order[a].micro + 1 != order[b].micro)
			return false;
	}
	return true;
}

struct op *
period_repeat(const struct period *p, int times, struct op *order, size_t size)
{
	size_t length = p->to.at - p->from.at, more = length * (size_t)times;
	struct op *behind = order + p->to.at, *last = order + size + more;

	memmove(behind + more, behind, (size - p->to.at) * sizeof *order);
	for (struct op *op = behind + more; op < last; op++)
		op->micro += (uint32_t)times;
	for (struct op *op = behind; op < behind + more; op++) {
		*op = *(op - length);
		op->micro++;
	}
	return last;
}

int
block_few(int stages)
{
	return stages + 16;
}
