#include "schedule_block.h"

#include <limits.h>

#include "scheme.h"

/* The next micro-batch of each chunk in each phase. */
struct block_progress {
	struct op *op;
	int micro;
	int next[PHASES][2];
};

static void
step(struct block_progress *p, enum phase phase, int chunk)
{
	*p->op++ = op_of(phase, chunk, p->next[phase][chunk]++);
}

static long
forward_slot(const struct schedule_block *b, int chunk, int m, int micro)
{
	return b->forward[chunk] + (long)BLOCK_PERIOD * m + (m == 0 && micro > 1 ? b->shift : 0);
}

static long
backward_slot(const struct schedule_block *b, int chunk, int m, int micro)
{
	return b->backward[chunk] + (long)BLOCK_PERIOD * m - (m == micro - 1 && micro > 1 ? b->shift : 0);
}

/* The slots of the next forward and the next backward of each chunk. */
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

/* Write the operations that start in this slot. */
static void
run_slot(struct block_progress *p, const struct schedule_block *block, struct slots *next, long slot)
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

/* Write the weight gradient of the oldest operation from UNPAID on that lacks one. Return the operation after it. */
static const struct op *
weight(struct block_progress *p, const struct op *unpaid)
{
	while (unpaid->phase != PHASE_I)
		unpaid++;
	step(p, PHASE_W, unpaid->chunk);
	return unpaid + 1;
}

static bool
owes(const struct block_progress *p)
{
	return p->next[PHASE_I][0] + p->next[PHASE_I][1] > p->next[PHASE_W][0] + p->next[PHASE_W][1];
}

static struct slots
first_slots(const struct schedule_block *block, int micro)
{
	struct slots next;

	for (int v = 0; v < 2; v++) {
		next.forward[v] = forward_slot(block, v, 0, micro);
		next.backward[v] = backward_slot(block, v, 0, micro);
	}
	return next;
}

struct op *
block_lay(const struct schedule_block *block, int micro, struct op *op)
{
	struct block_progress p = { .op = op, .micro = micro };
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
