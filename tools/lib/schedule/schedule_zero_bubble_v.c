/*
 * MindSpore's zero_bubble_v. The pieces are placed as in ZBV. Forwards and backwards alternate in the order of ZBV and
 * DualPipeV (DeepSeek-AI, arXiv 2412.19437). Only backwards of the warm-up and the cool-down are split. In the
 * cool-down the weight gradients of chunk 0 come first.
 */
#include "scheme.h"

struct v_side {
	struct op *op;
	int next[PHASES][2];	/* next micro-batch of a phase by chunk */
};

static void
step(struct v_side *s, enum phase phase, int chunk, int micro)
{
	*s->op++ = op_of(phase, chunk, micro);
	s->next[phase == PHASE_I ? PHASE_B : phase][chunk]++;
}

static void
forward(struct v_side *s, int chunk)
{
	step(s, PHASE_F, chunk, s->next[PHASE_F][chunk]);
}

/* Write the next backward of the chunk. Its last LATE backwards are split. */
static void
backward(struct v_side *s, int chunk, int late, int micro)
{
	int m = s->next[PHASE_B][chunk];

	step(s, m >= micro - late ? PHASE_I : PHASE_B, chunk, m);
}

static struct op *
order(const struct shape *q, int stage, struct op *op)
{
	struct v_side s = { .op = op };
	int behind = q->stages - 1 - stage, steady = q->micro - 2 * q->stages + stage + 1, i;
	/* Number of final backwards that are split, by chunk, and the first micro-batch of them. */
	int late[2] = { q->stages - (stage + 1) / 2, (stage + 1) / 2 };
	int first[2] = { q->micro - late[0], q->micro - late[1] };

	for (i = 0; i < 2 * behind; i++)
		forward(&s, 0);
	for (i = 0; i < stage + 1; i++) {
		forward(&s, 0);
		forward(&s, 1);
	}
	for (i = 0; i < behind; i++) {
		step(&s, PHASE_I, 1, i);
		step(&s, PHASE_W, 1, i);
		forward(&s, 1);
	}
	for (i = 0; i < steady; i++) {
		backward(&s, 1, late[1], q->micro);
		forward(&s, 0);
		backward(&s, 0, late[0], q->micro);
		forward(&s, 1);
	}
	for (i = 0; i < behind; i++) {
		backward(&s, 1, late[1], q->micro);
		backward(&s, 0, late[0], q->micro);
		forward(&s, 1);
	}
	for (i = 0; i < stage + 1; i++) {
		backward(&s, 1, late[1], q->micro);
		backward(&s, 0, late[0], q->micro);
	}
	for (i = 0; i < behind; i++) {
		if (stage > 0)	/* the first stage runs all weight gradients at the end */
			step(&s, PHASE_W, 0, first[0]++);
		backward(&s, 0, late[0], q->micro);
	}
	for (int chunk = 0; chunk < 2; chunk++)
		while (first[chunk] < q->micro)
			step(&s, PHASE_W, chunk, first[chunk]++);
	return s.op;
}

static const char *
problem(const struct shape *q)
{
	const char *problem = zero_bubble_problem(q);

	if (problem == NULL && q->micro < 2 * q->stages - 1)
		return "zero-bubble-v needs at least 2 P - 1 micro-batches on P stages";
	return problem;
}

const struct scheme scheme_zero_bubble_v = {
	.order = order, .problem = problem, .placement = PLACE_V, .split = true
};
