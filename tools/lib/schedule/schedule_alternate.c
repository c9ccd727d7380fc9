/*
 * Schedules of three parts: some forwards, then a forward and a backward in turn, then the remaining backwards. They
 * are gpipe, 1f1b and the interleaved orders, and differ in the number of initial forwards.
 *
 * Micro-batches visit the chunks in groups (Narayanan et al., arXiv 2104.04473). If a size of groups is given, the
 * remainder is the last group, as in Megatron-LM. The remainder joins the first group if no size is given, or if it is
 * smaller than the number of stages. Otherwise stages could deadlock; Megatron-LM rejects such numbers.
 *
 * With sequence splits (Sun et al., arXiv 2406.03488), the parts of a micro-batch run their forwards in order and their
 * backwards in reverse order. The micro-batches of the remainder then join the groups one by one, as in MindSpore's
 * seqpipe.
 */
#include "scheme.h"

struct alternate_lane {		/* a position in the list of all forwards, or of all backwards */
	uint32_t begin, end;	/* first micro-batch of the current group, and its end */
	uint32_t unit;		/* unit within the chunk's run of the group, from 0 */
	uint32_t group;		/* number of the group, from 0 */
	uint16_t chunk;
};

static uint32_t
splits(const struct shape *q)
{
	return q->splits > 1 ? (uint32_t)q->splits : 1;
}

static uint32_t
group(const struct shape *q)
{
	return (uint32_t)(q->group > 0 ? q->group : q->stages);
}

/* Return the number of micro-batches in the N-th group. The last group may be smaller. */
static uint32_t
group_size(const struct shape *q, uint32_t n)
{
	uint32_t g = group(q), m = (uint32_t)q->micro, groups = m / g;

	if (m < g)
		return m;
	if (q->splits > 1)
		return m / groups + (n < m % groups);
	if (n > 0 || (q->group > 0 && m % g >= (uint32_t)q->stages))
		return g;
	return g + m % g;
}

static struct alternate_lane
lane(const struct shape *q, uint16_t chunk)
{
	return (struct alternate_lane){ .end = group_size(q, 0), .chunk = chunk };
}

/* If the chunk has run its group, go to the next chunk. After the last chunk, go to the next group. */
static void
turn(struct alternate_lane *l, const struct shape *q, bool forward)
{
	uint16_t last = (uint16_t)(q->chunks - 1);

	l->unit = 0;
	if (forward ? l->chunk < last : l->chunk > 0) {
		l->chunk = (uint16_t)(forward ? l->chunk + 1 : l->chunk - 1);
		return;
	}
	l->chunk = forward ? 0 : last;
	l->begin = l->end;
	l->end += group_size(q, ++l->group);
	if (l->end > (uint32_t)q->micro)
		l->end = (uint32_t)q->micro;
}

static struct op
next_forward(struct alternate_lane *l, const struct shape *q)
{
	uint32_t n = splits(q);
	struct op op = { .micro = l->begin * n + l->unit, .chunk = l->chunk, .phase = PHASE_F };

	if (++l->unit == (l->end - l->begin) * n)
		turn(l, q, true);
	return op;
}

static struct op
next_backward(struct alternate_lane *l, const struct shape *q)
{
	uint32_t n = splits(q), part = n > 1 ? l->unit % n : 0;
	struct op op = {
		.micro = l->begin * n + l->unit - part + (n - 1 - part), .chunk = l->chunk, .phase = PHASE_B
	};

	if (++l->unit == (l->end - l->begin) * n)
		turn(l, q, false);
	return op;
}

/* How an order differs from a forward and a backward in turn. */
struct alternate_pattern {
	size_t warm;		/* number of initial forwards */
	bool joined;		/* each forward overlaps the backward in turn with it */
	bool split;		/* backwards are split, and a W runs LAG backwards after its own */
	size_t lag;
};

/*
 * Write the N-th backward, and the W that then runs. It belongs to the oldest operation from UNPAID on that lacks its
 * W.
 */
static struct op *
back(struct alternate_lane *b, const struct shape *q, const struct alternate_pattern *p, size_t n,
    const struct op **unpaid, struct op *op)
{
	*op++ = next_backward(b, q);
	if (!p->split)
		return op;
	op[-1].phase = PHASE_I;
	if (n < p->lag)
		return op;
	while ((*unpaid)->phase != PHASE_I)
		++*unpaid;
	*op = **unpaid;
	op->phase = PHASE_W;
	++*unpaid;
	return op + 1;
}

static struct op *
alternate(const struct shape *q, struct alternate_pattern p, struct op *op)
{
	struct alternate_lane f = lane(q, 0), b = lane(q, (uint16_t)(q->chunks - 1));
	size_t total = (size_t)q->micro * splits(q) * (size_t)q->chunks;
	const struct op *unpaid = op;

	if (p.warm > total)
		p.warm = total;
	for (size_t i = 0; i < p.warm; i++)
		*op++ = next_forward(&f, q);
	for (size_t i = 0; i < total; i++) {
		bool pair = i < total - p.warm;

		if (pair)
			*op++ = next_forward(&f, q);
		op = back(&b, q, &p, i, &unpaid, op);
		if (pair && p.joined) {
			op[-2].joined = 1;
			op[-1].joined = 2;
		}
	}
	for (; p.split; unpaid++)
		if (unpaid == op)
			break;
		else if (unpaid->phase == PHASE_I)
			*op++ = op_of(PHASE_W, unpaid->chunk, (int)unpaid->micro);
	return op;
}

/*
 * Return the number of forwards that a stage runs before the first backward can reach it. In the first group, these are
 * all forwards of all chunks but the last. To these it adds the forwards of the last chunk that the first backward
 * waits for.
 */
static size_t
fill(const struct shape *q, int depth)
{
	size_t n = splits(q);

	return (size_t)(q->chunks - 1) * group_size(q, 0) * n + (size_t)depth + n - 1;
}

static struct op *
gpipe(const struct shape *q, int stage, struct op *op)
{
	struct shape one = *q;

	(void)stage;
	one.group = q->micro;
	return alternate(&one, (struct alternate_pattern){ .warm = SIZE_MAX }, op);
}

static struct op *
less(const struct shape *q, int stage, struct op *op)
{
	return alternate(q, (struct alternate_pattern){ .warm = fill(q, q->stages - 1 - stage) }, op);
}

static struct op *
vpp(const struct shape *q, int stage, struct op *op)
{
	return alternate(q, (struct alternate_pattern){ .warm = fill(q, 2 * (q->stages - 1 - stage)) }, op);
}

/*
 * Run one forward more, then let each forward overlap a backward. In Megatron-LM, both hide each other's expert
 * communication.
 */
static struct op *
overlap(const struct shape *q, int stage, struct op *op)
{
	return alternate(q, (struct alternate_pattern){ .warm = fill(q, 2 * (q->stages - 1 - stage) + 1),
	    .joined = true }, op);
}

/*
 * Return the number of rounds in PyTorch's ScheduleInterleavedZeroBubble. All rounds have the same number of
 * micro-batches: if possible, at least the number of stages.
 */
static int
rounds(const struct shape *q)
{
	return q->micro < q->stages ? 1 : q->micro / q->stages;
}

static struct op *
zero_bubble(const struct shape *q, int stage, struct op *op)
{
	struct shape even = *q;

	even.group = q->micro / rounds(q);
	return alternate(&even, (struct alternate_pattern){ .warm = fill(&even, q->stages - 1 - stage), .split = true,
	    .lag = (size_t)stage }, op);
}

static const char *
rounds_problem(const struct shape *q)
{
	const char *problem = zero_bubble_problem(q);

	if (problem == NULL && q->micro % rounds(q) != 0)
		return "zb-vpp on P stages needs a number of micro-batches M that floor(M / P) divides";
	return problem;
}

static const char *
overlap_problem(const struct shape *q)
{
	return q->splits > 1 ? "vpp-overlap cannot split sequences" : NULL;
}

const struct scheme scheme_gpipe = { .order = gpipe, .interleaved = true, .textbook = true, .checked = true };
const struct scheme scheme_1f1b = {
	.order = less, .textbook = true, .in_turn = true, .begins = true, .checked = true
};
const struct scheme scheme_vpp = {
	.order = vpp, .interleaved = true, .textbook = true, .in_turn = true, .early = true, .begins = true,
	.checked = true
};
const struct scheme scheme_vpp_less = {
	.order = less, .interleaved = true, .textbook = true, .in_turn = true, .begins = true, .checked = true
};
const struct scheme scheme_vpp_overlap = {
	.order = overlap, .problem = overlap_problem, .interleaved = true, .joined = true
};
const struct scheme scheme_zb_vpp = {
	.order = zero_bubble, .problem = rounds_problem, .interleaved = true, .split = true
};
