/*
 * Schedules whose stages hold a piece on the way forth and one on the way back: ZBV (Qi et al., arXiv
 * 2401.10241) and, with less memory, V-Half and V-Min (Qi et al., arXiv 2405.15362).
 */
#include <limits.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "scheme.h"

/* How far each chunk's forwards, backwards and weights' gradients have come. */
struct progress {
	struct op *op;
	int micro;
	int next[PHASES][2];
};

/* The next micro-batch of a phase; past the last one there is nothing to do. */
static void
step(struct progress *p, enum phase phase, int chunk)
{
	int micro = p->next[phase][chunk]++;

	if (micro < p->micro)
		*p->op++ = op_of(phase, chunk, micro);
}

static void
backward(struct progress *p, int chunk)
{
	step(p, PHASE_I, chunk);
	step(p, PHASE_W, chunk);
}

static struct op *
zbv(const struct shape *q, int stage, struct op *op)
{
	struct progress p = { .op = op, .micro = q->micro };
	int behind = q->stages - stage, i;
	/* The order of a full pipeline, less the micro-batches that there are not. */
	int micro = q->micro > 2 * q->stages - 1 ? q->micro : 2 * q->stages - 1;

	for (i = 0; i < 2 * behind - 1; i++)
		step(&p, PHASE_F, 0);
	for (i = 0; i < stage; i++) {
		step(&p, PHASE_F, 1);
		step(&p, PHASE_F, 0);
	}
	for (i = 0; i < behind; i++) {
		step(&p, PHASE_F, 1);
		backward(&p, 1);
	}
	while (p.next[PHASE_F][1] < p.next[PHASE_F][0] || p.next[PHASE_F][0] < micro) {
		if (p.next[PHASE_F][0] < micro)
			step(&p, PHASE_F, 0);
		backward(&p, 0);
		step(&p, PHASE_F, 1);
		backward(&p, 1);
	}
	for (i = 0; i < stage; i++) {
		step(&p, PHASE_I, 0);
		step(&p, PHASE_I, 1);
	}
	for (i = 0; i < behind; i++)
		backward(&p, 0);
	while (p.next[PHASE_W][1] < p.next[PHASE_I][1])
		step(&p, PHASE_W, 1);
	while (p.next[PHASE_W][0] < p.next[PHASE_I][0])
		step(&p, PHASE_W, 0);
	return p.op;
}

/*
 * A building block: the slot in which a micro-batch's operations begin on a stage, F and B of each chunk.
 * The next micro-batch's begin PERIOD later. SHIFT slots keep blocks from colliding; the first micro-batch's
 * forwards and the last one's backwards have nothing to collide with and do without them.
 */
enum { PERIOD = 6 };
struct block {
	int forward[2], backward[2], shift;
};

static long
forward_slot(const struct block *b, int chunk, int m, int micro)
{
	return b->forward[chunk] + (long)PERIOD * m + (m == 0 && micro > 1 ? b->shift : 0);
}

static long
backward_slot(const struct block *b, int chunk, int m, int micro)
{
	return b->backward[chunk] + (long)PERIOD * m - (m == micro - 1 && micro > 1 ? b->shift : 0);
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

/* Lay a block for each micro-batch over the slots of a stage; weights' gradients take the slots left free. */
static struct op *
lay(const struct block *block, int micro, struct op *op)
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

/* The same without the weights' gradients; MOST: forwards whose memory is held at most, were they there. */
static struct op *
lay_bare(const struct block *block, int micro, struct op *op, int *most)
{
	struct progress p = { .op = op, .micro = micro };
	struct slots next = first_slots(block, micro);
	long slot = 0, begins;

	*most = 0;
	for (; (begins = earliest(&next)) < LONG_MAX; slot = begins + 1) {
		int owed = p.next[PHASE_I][0] + p.next[PHASE_I][1] - p.next[PHASE_W][0], live;

		p.next[PHASE_W][0] += owed < begins - slot ? owed : (int)(begins - slot);
		run_slot(&p, block, &next, begins);
		live = p.next[PHASE_F][0] + p.next[PHASE_F][1] - p.next[PHASE_W][0];
		*most = live > *most ? live : *most;
	}
	return p.op;
}

static struct block
half_block(int p, int stage)
{
	int shift = p % 2 == 0 ? 3 : 0;

	return (struct block){
		.forward = { 2 * stage, 3 * p - 2 - stage },
		.backward = { 6 * p + shift - 2 - stage, 3 * p + shift - 1 + 2 * stage },
		.shift = shift,
	};
}

static struct op *
v_min(const struct shape *q, int stage, struct op *op)
{
	int p = q->stages, shift = p % 3 == 0 ? 2 : 0;
	struct block block = {
		.forward = { stage, 2 * p - 1 - stage },
		.backward = { 4 * p + shift - 1 - stage, 2 * p + shift + stage },
		.shift = shift,
	};

	return lay(&block, q->micro, op);
}

/* One stage as its weights' gradients are moved. */
struct mover {
	const struct op *next, *last;	/* as laid out, without its weights' gradients: what to run next */
	const struct op *unpaid;	/* weights' gradients are due from this one on */
	int live, most;			/* chunks whose memory is held, and how many there may be */
	int slot;			/* it has got this far */
	struct op *out;
	int *end[2][2];			/* of forwards and backwards of each chunk: their slots, 0: not yet */
	const int *need[2][2];		/* what they wait for; NULL: for nothing */
};

/* Lay out what is not a weights' gradient in ORDER; returns behind the last. */
static struct op *
mover_new(struct mover *m, struct schedule *s, int stage, struct op *order, int *end)
{
	struct block block = half_block(s->stages, stage);

	s->first[stage + 1] = s->first[stage] + 6 * (size_t)s->micro;
	*m = (struct mover){ .next = order, .unpaid = order, .slot = 1, .out = s->op + s->first[stage] };
	m->last = order = lay_bare(&block, s->micro, order, &m->most);
	for (int v = 0; v < 2; v++)
		for (int back = 0; back < 2; back++) {
			struct op op = op_of(back ? PHASE_I : PHASE_F, v, 0);
			struct need need = schedule_need(s, stage, op);

			m->end[back][v] = end + schedule_slot(s, stage, op);
			m->need[back][v] = need.stage < 0 ? NULL : end + schedule_slot(s, need.stage, need.op);
		}
	return order;
}

/* A weights' gradient, if one is due. */
static bool
move_weight(struct mover *m)
{
	while (m->unpaid < m->next && m->unpaid->phase != PHASE_I)
		m->unpaid++;
	if (m->unpaid == m->next)
		return false;
	*m->out++ = op_of(PHASE_W, m->unpaid->chunk, (int)m->unpaid->micro);
	m->unpaid++;
	m->live--;
	return true;
}

/* Let a stage go on until it waits for what has no slot yet; false at its end. */
static bool
move(struct mover *m)
{
	for (; m->next < m->last; m->next++) {
		struct op op = *m->next;
		int back = op.phase != PHASE_F;
		const int *need = m->need[back][op.chunk];
		int needed = need == NULL ? 1 : need[op.micro];

		if (needed == 0)
			return true;
		for (; m->slot < needed && move_weight(m); m->slot++)
			continue;
		if (m->slot < needed)
			m->slot = needed;
		for (; !back && m->live == m->most && move_weight(m); m->slot++)
			continue;
		*m->out++ = op;
		m->live += !back;
		m->end[back][op.chunk][op.micro] = ++m->slot;
	}
	while (move_weight(m))
		continue;
	return false;
}

/*
 * As if operations all took one slot, move the weights' gradients into the slots in which a stage waits:
 * forwards and backwards keep their order and go first, as long as no more memory is held than before.
 */
static void
v_half(struct schedule *s)
{
	enum { LINE = 8 };	/* operations in a cache line */
	int *end = xcalloc(schedule_slots(s), sizeof *end);
	size_t bare = 4 * (size_t)s->micro + LINE;
	struct op *order = xcalloc(bare * (size_t)s->stages, sizeof *order), *op = order;
	struct mover *mover = xcalloc((size_t)s->stages, sizeof *mover);
	bool going = true;

	for (int i = 0; i < s->stages; i++)
		op = mover_new(&mover[i], s, i, op, end) + LINE;	/* so as not to drive one another out */
	/* Forth and back again, as the data go. */
	while (going) {
		going = false;
		for (int i = 0; i < s->stages; i++)
			going |= move(&mover[i]);
		for (int i = s->stages - 1; i >= 0; i--)
			going |= move(&mover[i]);
	}
	free(mover);
	free(order);
	free(end);
}

static const char *
problem(const struct shape *q)
{
	if (q->splits > 1 || q->group > 0)
		return "zero-bubble schedules take neither sequence splits nor groups";
	return NULL;
}

const struct scheme scheme_zbv = {
	.order = zbv, .problem = problem, .placement = PLACE_V, .split = true, .timed = true
};
const struct scheme scheme_v_half = {
	.arrange = v_half, .problem = problem, .placement = PLACE_V, .split = true, .timed = true
};
const struct scheme scheme_v_min = {
	.order = v_min, .problem = problem, .placement = PLACE_V, .split = true, .timed = true
};
