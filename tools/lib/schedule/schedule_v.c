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

/* The weights' gradients that have waited longest. */
static void
weight(struct progress *p, const struct block *b)
{
	long earliest = LONG_MAX, slot;
	int late = -1;

	for (int v = 0; v < 2; v++) {
		if (p->next[PHASE_W][v] == p->next[PHASE_I][v])
			continue;
		slot = backward_slot(b, v, p->next[PHASE_W][v], p->micro);
		if (slot < earliest) {
			earliest = slot;
			late = v;
		}
	}
	if (late >= 0)
		step(p, PHASE_W, late);
}

/* Lay a block for each micro-batch over the slots of a stage; weights' gradients take the slots left free. */
static struct op *
lay(const struct block *block, int micro, struct op *op)
{
	struct progress p = { .op = op, .micro = micro };

	for (long slot = 0; p.op - op < (long)PERIOD * micro; slot++) {
		const struct op *before = p.op;

		for (int v = 0; v < 2; v++) {
			int f = p.next[PHASE_F][v], b = p.next[PHASE_I][v];

			if (f < micro && slot == forward_slot(block, v, f, micro))
				step(&p, PHASE_F, v);
			if (b < micro && slot == backward_slot(block, v, b, micro))
				step(&p, PHASE_I, v);
		}
		if (p.op == before)
			weight(&p, block);
	}
	return p.op;
}

static struct op *
v_half(const struct shape *q, int stage, struct op *op)
{
	int p = q->stages, shift = p % 2 == 0 ? 3 : 0;
	struct block block = {
		.forward = { 2 * stage, 3 * p - 2 - stage },
		.backward = { 6 * p + shift - 2 - stage, 3 * p + shift - 1 + 2 * stage },
		.shift = shift,
	};

	return lay(&block, q->micro, op);
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
	struct op *order;		/* as laid out; here without its weights' gradients */
	int n;				/* of them */
	int next, unpaid;		/* the next one to run; weights' gradients are due from this one on */
	int live, most;			/* chunks whose memory is held, and how many there may be */
	struct op *out;
};

static struct mover
mover_new(struct schedule *s, int stage)
{
	size_t first = s->first[stage], last = s->first[stage + 1];
	struct mover m = { .order = xcalloc(last - first, sizeof *m.order), .out = s->op + first };
	int live = 0;

	for (size_t i = first; i < last; i++) {
		struct op op = s->op[i];

		live += op.phase == PHASE_F ? 1 : op.phase == PHASE_W ? -1 : 0;
		if (live > m.most)
			m.most = live;
		if (op.phase != PHASE_W)
			m.order[m.n++] = op;
	}
	return m;
}

/* What a stage does in SLOT; phase PHASES: nothing. END: from which slot on a result is there, 0: not yet. */
static struct op
move(struct mover *m, const struct schedule *s, int stage, const int *end, int slot)
{
	if (m->next < m->n) {
		struct op op = m->order[m->next];
		struct need need = schedule_need(s, stage, op);
		int needed = need.stage < 0 ? 1 : end[schedule_slot(s, need.stage, need.op)];

		if (needed > 0 && needed <= slot && (op.phase != PHASE_F || m->live < m->most)) {
			m->next++;
			m->live += op.phase == PHASE_F;
			return op;
		}
	}
	while (m->unpaid < m->next && m->order[m->unpaid].phase != PHASE_I)
		m->unpaid++;
	if (m->unpaid < m->next) {
		struct op op = m->order[m->unpaid++];

		op.phase = PHASE_W;
		m->live--;
		return op;
	}
	return op_of(PHASES, 0, 0);
}

/*
 * As if operations all took one slot, move the weights' gradients into the slots in which a stage waits:
 * forwards and backwards keep their order and go first, as long as no more memory is held than before.
 */
static void
fill_holes(struct schedule *s)
{
	size_t left = schedule_ops(s);
	int *end = xcalloc(left, sizeof *end);
	struct mover *mover = xcalloc((size_t)s->stages, sizeof *mover);

	for (int i = 0; i < s->stages; i++)
		mover[i] = mover_new(s, i);
	for (int slot = 1; left > 0; slot++)
		for (int i = 0; i < s->stages; i++) {
			struct op op = move(&mover[i], s, i, end, slot);

			if (op.phase == PHASES)
				continue;
			*mover[i].out++ = op;
			end[schedule_slot(s, i, op)] = slot + 1;
			left--;
		}
	for (int i = 0; i < s->stages; i++)
		free(mover[i].order);
	free(mover);
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
	.order = zbv, .problem = problem, .placement = PLACE_V, .split = true
};
const struct scheme scheme_v_half = {
	.order = v_half, .arrange = fill_holes, .problem = problem, .placement = PLACE_V, .split = true
};
const struct scheme scheme_v_min = {
	.order = v_min, .problem = problem, .placement = PLACE_V, .split = true
};
