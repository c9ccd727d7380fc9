/*
 * V-Half (Qi et al., arXiv 2405.15362): a piece on the way forth and one on the way back, with half the memory of 1F1B.
 * As if operations all took one slot, the weights' gradients are moved into the slots in which a stage waits: forwards
 * and backwards keep their order and go first, as long as no more memory is held than before.
 */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "schedule_block.h"
#include "scheme.h"

static struct block
block_of(int p, int stage)
{
	int shift = p % 2 == 0 ? 3 : 0;

	return (struct block){
		.forward = { 2 * stage, 3 * p - 2 - stage },
		.backward = { 6 * p + shift - 2 - stage, 3 * p + shift - 1 + 2 * stage },
		.shift = shift,
	};
}

/* One stage as its weights' gradients are moved. */
struct mover {
	const struct op *next, *last;	/* as laid out, without its weights' gradients: what to run next */
	const struct op *unpaid;	/* weights' gradients are due from this one on */
	struct unlaid unlaid;		/* when they were not moved yet */
	int live;			/* chunks whose memory is held */
	int slot;			/* it has got this far */
	struct op *out;
	int *end[2][2];			/* of forwards and backwards of each chunk: their slots, 0: not yet */
	const int *need[2][2];		/* what they wait for; NULL: for nothing */
};

/* Lay out what is not a weights' gradient in ORDER; returns behind the last. */
static struct op *
mover_new(struct mover *m, const struct schedule *s, int stage, struct op *order, int *end)
{
	struct block block = block_of(s->stages, stage);

	*m = (struct mover){ .next = order, .unpaid = order, .slot = 1, .out = s->op + s->first[stage] };
	m->last = order = block_lay_bare(&block, s->micro, order, &m->unlaid);
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
		for (; !back && m->live == m->unlaid.most && move_weight(m); m->slot++)
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
move_all(struct mover *mover, int stages)
{
	bool going = true;

	/* Forth and back again, as the data go. */
	while (going) {
		going = false;
		for (int i = 0; i < stages; i++)
			going |= move(&mover[i]);
		for (int i = stages - 1; i >= 0; i--)
			going |= move(&mover[i]);
	}
}

/* The slot at which the last operation before a cut ended. */
static int
cut_end(const struct mover *m, const struct op *order, const struct cut *cut)
{
	const struct op *op = order + cut->at - 1;

	while (op->phase == PHASE_W)
		op--;
	return m->end[op->phase != PHASE_F][op->chunk][op->micro];
}

/* Has all that a stage waits for at the first cut ended LATER slots before the same of the next micro-batch? */
static bool
same_waits(const struct schedule *s, const struct mover *m, int stage, const struct period *period, int later)
{
	for (int v = 0; v < 2; v++)
		for (int back = 0; back < 2; back++) {
			struct need need = schedule_need(s, stage, op_of(back ? PHASE_I : PHASE_F, v, 0));
			const int *end = m->need[back][v];
			int there;

			if (need.stage < 0)
				continue;
			there = period[need.stage].from.begun[need.op.phase != PHASE_F][need.op.chunk];
			for (int i = period[stage].from.begun[back][v]; i < there; i++)
				if (end[i + 1] - end[i] != later)
					return false;
		}
	return true;
}

/* Does the last period leave all that stages go by as it finds it, as many slots later on all of them? */
static bool
settled(const struct schedule *s, const struct mover *mover, const struct period *period)
{
	int later = cut_end(&mover[0], s->op, &period[0].to) - cut_end(&mover[0], s->op, &period[0].from);

	for (int i = 0; i < s->stages; i++) {
		const struct op *order = s->op + s->first[i];

		if (!mover[i].unlaid.settled || !period_settled(&period[i], order) ||
		    cut_end(&mover[i], order, &period[i].to) - cut_end(&mover[i], order, &period[i].from) != later ||
		    !same_waits(s, &mover[i], i, period, later))
			return false;
	}
	return true;
}

/* Make orders of FEW's micro-batches, laid out where those of S are to be, into these; false: they have not settled. */
static bool
lengthen(struct schedule *s, const struct schedule *few, const struct mover *mover)
{
	struct period *period = xcalloc((size_t)s->stages, sizeof *period);
	bool done;

	for (int i = 0; i < s->stages; i++) {
		struct block block = block_of(s->stages, i);

		period[i] = block_period(&block, few->micro, s->op + s->first[i]);
	}
	done = settled(few, mover, period);
	for (int i = 0; i < s->stages && done; i++)
		period_repeat(&period[i], s->micro - few->micro, s->op + s->first[i], 6 * (size_t)few->micro);
	free(period);
	return done;
}

/* Arrange as few micro-batches, and from them all; false: these cannot be told from so few. */
static bool
arrange_from(struct schedule *s, int micro)
{
	enum { LINE = 8 };	/* operations in a cache line */
	struct schedule few = *s;
	size_t bare = 4 * (size_t)micro + LINE;
	struct op *order = xcalloc(bare * (size_t)s->stages, sizeof *order), *op = order;
	struct mover *mover = xcalloc((size_t)s->stages, sizeof *mover);
	bool done;
	int *end;

	few.micro = few.stride = micro;
	end = xcalloc(schedule_slots(&few), sizeof *end);
	for (int i = 0; i < s->stages; i++)
		op = mover_new(&mover[i], &few, i, op, end) + LINE;	/* so as not to drive one another out */
	move_all(mover, s->stages);
	done = micro == s->micro || lengthen(s, &few, mover);
	free(mover);
	free(order);
	free(end);
	return done;
}

static void
arrange(struct schedule *s)
{
	for (int i = 0; i < s->stages; i++)
		s->first[i + 1] = s->first[i] + 6 * (size_t)s->micro;
	for (int few = block_few(s->stages); few < s->micro; few *= 2)
		if (arrange_from(s, few))
			return;
	arrange_from(s, s->micro);
}

const struct scheme scheme_v_half = {
	.arrange = arrange, .problem = zero_bubble_problem, .placement = PLACE_V, .split = true, .timed = true
};
