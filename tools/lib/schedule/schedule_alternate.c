/*
 * Schedules that run some forwards, then forward and backward alternately, then the remaining backwards: gpipe, 1f1b
 * and the interleaved orders. They differ in how many forwards come first.
 *
 * Micro-batches go through the chunks in groups (Narayanan et al., arXiv 2104.04473). Those left over are the last
 * group where groups have a given size, as in Megatron-LM; fewer than stages, or of groups of no given size, they
 * join the first: stages could wait for one another for ever, and Megatron-LM takes no such numbers. With sequence
 * splits (Sun et al., arXiv 2406.03488) the parts of a micro-batch go forward in order and backward in reverse.
 */
#include "scheme.h"

struct lane {		/* walks the forward or the backward list */
	uint32_t begin, end;	/* micro-batches of this group */
	uint32_t unit;		/* in the group's chunk, from 0 */
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
	if (q->kind == SCHEDULE_GPIPE)
		return (uint32_t)q->micro;
	return (uint32_t)(q->group > 0 ? q->group : q->stages);
}

static uint32_t
first_group(const struct shape *q)
{
	uint32_t g = group(q), m = (uint32_t)q->micro;

	if (m < g)
		return m;
	return q->group > 0 && m % g >= (uint32_t)q->stages ? g : g + m % g;
}

static struct lane
lane(const struct shape *q, uint16_t chunk)
{
	return (struct lane){ .end = first_group(q), .chunk = chunk };
}

/* Past the end of a group's chunk: to the next chunk, and after the last to the next group. */
static void
turn(struct lane *l, const struct shape *q, bool forward)
{
	uint16_t last = (uint16_t)(q->chunks - 1);

	l->unit = 0;
	if (forward ? l->chunk < last : l->chunk > 0) {
		l->chunk = (uint16_t)(forward ? l->chunk + 1 : l->chunk - 1);
		return;
	}
	l->chunk = forward ? 0 : last;
	l->begin = l->end;
	l->end += group(q);
	if (l->end > (uint32_t)q->micro)
		l->end = (uint32_t)q->micro;
}

static struct op
next_forward(struct lane *l, const struct shape *q)
{
	uint32_t n = splits(q);
	struct op op = { .micro = l->begin * n + l->unit, .chunk = l->chunk, .phase = PHASE_F };

	if (++l->unit == (l->end - l->begin) * n)
		turn(l, q, true);
	return op;
}

static struct op
next_backward(struct lane *l, const struct shape *q)
{
	uint32_t n = splits(q), part = n > 1 ? l->unit % n : 0;
	struct op op = {
		.micro = l->begin * n + l->unit - part + (n - 1 - part), .chunk = l->chunk, .phase = PHASE_B
	};

	if (++l->unit == (l->end - l->begin) * n)
		turn(l, q, false);
	return op;
}

static struct op *
alternate(const struct shape *q, size_t warm, struct op *op)
{
	struct lane f = lane(q, 0), b = lane(q, (uint16_t)(q->chunks - 1));
	size_t total = (size_t)q->micro * splits(q) * (size_t)q->chunks, i;

	if (warm > total)
		warm = total;
	for (i = 0; i < warm; i++)
		*op++ = next_forward(&f, q);
	for (; i < total; i++) {
		*op++ = next_forward(&f, q);
		*op++ = next_backward(&b, q);
	}
	for (i = total - warm; i < total; i++)
		*op++ = next_backward(&b, q);
	return op;
}

/* Forwards before the last chunk of the first group, and those its first backward waits for. */
static size_t
fill(const struct shape *q, int depth)
{
	size_t n = splits(q);

	return (size_t)(q->chunks - 1) * first_group(q) * n + (size_t)depth + n - 1;
}

static struct op *
gpipe(const struct shape *q, int stage, struct op *op)
{
	(void)stage;
	return alternate(q, SIZE_MAX, op);
}

static struct op *
less(const struct shape *q, int stage, struct op *op)
{
	return alternate(q, fill(q, q->stages - 1 - stage), op);
}

static struct op *
vpp(const struct shape *q, int stage, struct op *op)
{
	return alternate(q, fill(q, 2 * (q->stages - 1 - stage)), op);
}

const struct scheme scheme_gpipe = { .order = gpipe, .interleaved = true, .textbook = true };
const struct scheme scheme_1f1b = { .order = less, .textbook = true };
const struct scheme scheme_vpp = { .order = vpp, .interleaved = true, .textbook = true };
const struct scheme scheme_vpp_less = { .order = less, .interleaved = true, .textbook = true };
