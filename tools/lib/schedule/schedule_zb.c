/*
 * Zero-bubble schedules with one chunk per stage (Qi et al., arXiv 2401.10241). They are 1F1B with split backwards.
 * Weight gradients run some micro-batches later and fill the gaps of the drain.
 */
#include "scheme.h"

/* Write an order that starts with WARM forwards, and in which each W runs LAG micro-batches after its B. */
static struct op *
order(int micro, int warm, int lag, struct op *op)
{
	int f = 0, w = 0;

	for (; f < warm && f < micro; f++)
		*op++ = op_of(PHASE_F, 0, f);
	for (int b = 0; b < micro; b++) {
		if (f < micro)
			*op++ = op_of(PHASE_F, 0, f++);
		*op++ = op_of(PHASE_I, 0, b);
		if (b - lag == w)
			*op++ = op_of(PHASE_W, 0, w++);
	}
	for (; w < micro; w++)
		*op++ = op_of(PHASE_W, 0, w);
	return op;
}

static struct op *
h1(const struct shape *q, int stage, struct op *op)
{
	return order(q->micro, q->stages - 1 - stage, stage, op);
}

static struct op *
h2(const struct shape *q, int stage, struct op *op)
{
	return order(q->micro, 2 * (q->stages - 1 - stage), 2 * stage, op);
}

const char *
zero_bubble_problem(const struct shape *q)
{
	if (q->splits > 1 || q->group > 0)
		return "zero-bubble schedules allow neither sequence splits nor groups";
	return NULL;
}

/* Return room for 2P pieces. The order of the paper holds one piece less. */
static int
h2_room(const struct shape *q, int most)
{
	(void)q;
	return most + 1;
}

const struct scheme scheme_zb_h1 = {
	.order = h1, .problem = zero_bubble_problem, .split = true, .timed = true, .begins = true
};
const struct scheme scheme_zb_h2 = {
	.order = h2, .problem = zero_bubble_problem, .room = h2_room, .split = true, .timed = true, .begins = true
};
