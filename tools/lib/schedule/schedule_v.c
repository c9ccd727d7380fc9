/*
 * Schedules in which each stage has a piece on the way forth and a piece on the way back: ZBV (Qi et al., arXiv
 * 2401.10241), and V-Min, which needs least memory (Qi et al., arXiv 2405.15362).
 */
#include "schedule_block.h"
#include "scheme.h"

/* The next micro-batch of each chunk in each phase. */
struct v_progress {
	struct op *op;
	int micro;
	int next[PHASES][2];
};

/* Write the operation of the next micro-batch in a phase. After the last micro-batch write nothing. */
static void
step(struct v_progress *p, enum phase phase, int chunk)
{
	int micro = p->next[phase][chunk]++;

	if (micro < p->micro)
		*p->op++ = op_of(phase, chunk, micro);
}

static void
backward(struct v_progress *p, int chunk)
{
	step(p, PHASE_I, chunk);
	step(p, PHASE_W, chunk);
}

static struct op *
zbv(const struct shape *q, int stage, struct op *op)
{
	struct v_progress p = { .op = op, .micro = q->micro };
	int behind = q->stages - stage, i;
	/* Write the order of a full pipeline, without the operations of missing micro-batches. */
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

static struct op *
v_min(const struct shape *q, int stage, struct op *op)
{
	int p = q->stages, shift = p % 3 == 0 ? 2 : 0;
	struct schedule_block block = {
		.forward = { stage, 2 * p - 1 - stage },
		.backward = { 4 * p + shift - 1 - stage, 2 * p + shift + stage },
		.shift = shift,
	};

	return block_lay(&block, q->micro, op);
}

/* Without memory limits, v-auto may hold the number of pieces that zbv holds. */
static int
auto_room(const struct shape *q, int most)
{
	(void)most;
	return 2 * q->stages;
}

const struct scheme scheme_zbv = {
	.order = zbv, .problem = zero_bubble_problem, .placement = PLACE_V, .split = true, .timed = true,
	.begins = true
};
const struct scheme scheme_v_min = {
	.order = v_min, .problem = zero_bubble_problem, .placement = PLACE_V, .split = true, .timed = true,
	.begins = true
};
/*
 * Orders for given times use all memory that is available, see lib/order/timed_schedule.h. Without given times it uses
 * V-Min's order.
 */
const struct scheme scheme_v_auto = {
	.order = v_min, .problem = zero_bubble_problem, .room = auto_room, .placement = PLACE_V, .split = true,
	.timed = true, .within = true
};
