/*
 * DualPipe: micro-batches enter at both ends of the pipeline, and forwards of one direction overlap backwards of the
 * other (DeepSeek-AI, arXiv 2412.19437). DualPipeV is the same schedule, folded in the middle: each stage has a piece
 * on the way forth and a piece on the way back.
 */
#include "scheme.h"

/* A stage. Micro-batches of direction 0 reach it first. */
struct dualpipe_side {
	struct op *op;
	const struct op *unpaid;	/* oldest operation whose weight gradient has not run */
	int chunk[2];			/* number of its chunk, by direction */
	int forward[2], backward[2];	/* number of micro-batches begun, by direction */
};

static void
forward(struct dualpipe_side *s, int way)
{
	*s->op++ = op_of(PHASE_F, s->chunk[way], s->forward[way]++);
}

static void
backward(struct dualpipe_side *s, int way, enum phase phase)
{
	*s->op++ = op_of(phase, s->chunk[way], s->backward[way]++);
}

static void
together(struct dualpipe_side *s, int ahead, int back)
{
	forward(s, ahead);
	s->op[-1].joined = 1;
	backward(s, back, PHASE_B);
	s->op[-1].joined = 2;
}

/* Write the weight gradient of the oldest operation that lacks one. */
static void
weight(struct dualpipe_side *s)
{
	while (s->unpaid->phase != PHASE_I)
		s->unpaid++;
	*s->op++ = op_of(PHASE_W, s->unpaid->chunk, (int)s->unpaid->micro);
	s->unpaid++;
}

/*
 * Write the eight steps of the published algorithm. HALF: number of stages from an end to the middle. DEPTH: number of
 * stages from that end to this stage.
 */
static struct op *
order(struct dualpipe_side *s, int half, int depth, int micro)
{
	int inside = half - depth - 1, i;

	for (i = 0; i < 2 * inside; i++)
		forward(s, 0);
	for (i = 0; i < depth + 1; i++) {
		forward(s, 0);
		forward(s, 1);
	}
	for (i = 0; i < inside; i++) {
		backward(s, 1, PHASE_I);
		weight(s);
		forward(s, 1);
	}
	for (i = 0; i < micro - 2 * half + depth + 1; i++) {
		if (i == 0 && inside == 0) {
			/*
			 * The two stages in the middle run these without overlap, since waiting for the data of both
			 * would take longer.
			 */
			forward(s, 0);
			backward(s, 1, PHASE_B);
		} else {
			together(s, 0, 1);
		}
		together(s, 1, 0);
	}
	for (i = 0; i < inside; i++) {
		backward(s, 1, PHASE_B);
		together(s, 1, 0);
	}
	for (i = 0; i < depth + 1; i++) {
		bool odd = depth % 2 == 1;

		backward(s, 1, i > (depth + 1) / 2 || (i == (depth + 1) / 2 && odd) ? PHASE_I : PHASE_B);
		backward(s, 0, i >= (depth + 1) / 2 ? PHASE_I : PHASE_B);
	}
	for (i = 0; i < inside; i++) {
		weight(s);
		backward(s, 0, PHASE_I);
	}
	for (i = 0; i < depth + 1; i++)
		weight(s);
	return s->op;
}

static struct op *
dualpipe(const struct shape *q, int stage, struct op *op)
{
	int half = q->stages / 2, far = stage >= half;
	struct dualpipe_side s = { .op = op, .unpaid = op, .chunk = { far, !far } };

	return order(&s, half, far ? q->stages - 1 - stage : stage, q->micro / 2);
}

static struct op *
dualpipev(const struct shape *q, int stage, struct op *op)
{
	struct dualpipe_side s = { .op = op, .unpaid = op, .chunk = { 0, 1 } };

	return order(&s, q->stages, stage, q->micro);
}

static const char *
problem(const struct shape *q)
{
	if (q->splits > 1 || q->group > 0)
		return "dualpipe allows neither sequence splits nor groups";
	if (q->micro < 2 * q->stages)
		return "dualpipe needs at least twice as many micro-batches as stages";
	if (schedule_mirrored(q->kind) && (q->stages % 2 != 0 || q->micro % 2 != 0))
		return "dualpipe needs even numbers of stages and of micro-batches";
	return NULL;
}

const struct scheme scheme_dualpipe = {
	.order = dualpipe, .problem = problem, .placement = PLACE_BOTH, .folded = SCHEDULE_DUALPIPEV, .split = true,
	.joined = true
};
const struct scheme scheme_dualpipev = {
	.order = dualpipev, .problem = problem, .placement = PLACE_V, .split = true, .joined = true
};
