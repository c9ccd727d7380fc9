/*
 * V-Half (Qi et al., arXiv 2405.15362): each stage has a piece on the way forth and a piece on the way back, and needs
 * half the memory of 1F1B. Weight gradients move into slots in which a stage waits, as if each operation took one slot.
 * Forwards and backwards keep their order. They also have priority unless memory would grow.
 */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "schedule_block.h"
#include "scheme.h"

static struct schedule_block
block_of(int p, int stage)
{
	int shift = p % 2 == 0 ? 3 : 0;

	return (struct schedule_block){
		.forward = { 2 * stage, 3 * p - 2 - stage },
		.backward = { 6 * p + shift - 2 - stage, 3 * p + shift - 1 + 2 * stage },
		.shift = shift,
	};
}

/* A stage whose weight gradients are being moved. */
struct v_half_mover {
	const struct op *next, *last;	/* operations other than weight gradients: the next one, the end */
	const struct op *unpaid;	/* oldest operation whose weight gradient has not run */
	int most;			/* maximum number of chunks held before the move */
	int live;			/* number of chunks held now */
	int slot;			/* current slot */
	struct op *out;
	int *end[2][2];	/* slots after which forwards and backwards have ended, by phase and chunk; 0: not yet */
	const int *need[2][2];		/* the slots that they depend on; NULL: none */
};

/* Write the operations of a stage into ORDER without its weight gradients. */
static void
mover_new(struct v_half_mover *m, const struct schedule *s, int stage, struct op *order, int *end)
{
	struct schedule_block block = block_of(s->stages, stage);
	const struct op *laid = block_lay(&block, s->micro, order);
	struct op *last = order;
	int live = 0;

	*m = (struct v_half_mover){ .next = order, .unpaid = order, .slot = 1, .out = s->op + s->first[stage] };
	for (const struct op *op = order; op < laid; op++) {
		live += op->phase == PHASE_F ? 1 : op->phase == PHASE_W ? -1 : 0;
		m->most = live > m->most ? live : m->most;
		if (op->phase != PHASE_W)
			*last++ = *op;
	}
	m->last = last;
	for (int v = 0; v < 2; v++)
		for (int back = 0; back < 2; back++) {
			struct op op = op_of(back ? PHASE_I : PHASE_F, v, 0);
			struct need need = schedule_need(s, stage, op);

			m->end[back][v] = end + schedule_slot(s, stage, op);
			m->need[back][v] = need.stage < 0 ? NULL : end + schedule_slot(s, need.stage, need.op);
		}
}

/* Run a weight gradient if one can run. Return whether one did. */
static bool
move_weight(struct v_half_mover *m)
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

/*
 * Advance a stage until its next operation depends on an operation that has no slot yet. Return false at the end of the
 * stage.
 */
static bool
move(struct v_half_mover *m)
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

static void
move_all(struct v_half_mover *mover, int stages)
{
	bool going = true;

	/* Visit the stages in order and in reverse order, as the data travel. */
	while (going) {
		going = false;
		for (int i = 0; i < stages; i++)
			going |= move(&mover[i]);
		for (int i = stages - 1; i >= 0; i--)
			going |= move(&mover[i]);
	}
}

static void
arrange(struct schedule *s)
{
	enum { LINE = 8 };	/* number of operations in a cache line */
	size_t laid = 6 * (size_t)s->micro, apart = laid + LINE;	/* padding, against conflicts in the cache */
	struct op *order = xcalloc(apart * (size_t)s->stages, sizeof *order);
	struct v_half_mover *mover = xcalloc((size_t)s->stages, sizeof *mover);
	int *end = xcalloc(schedule_slots(s), sizeof *end);

	for (int i = 0; i < s->stages; i++) {
		s->first[i + 1] = s->first[i] + laid;
		mover_new(&mover[i], s, i, order + apart * (size_t)i, end);
	}
	move_all(mover, s->stages);
	free(mover);
	free(order);
	free(end);
}

const struct scheme scheme_v_half = {
	.arrange = arrange, .problem = zero_bubble_problem, .placement = PLACE_V, .split = true, .timed = true,
	.begins = true
};
