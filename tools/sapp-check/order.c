/* The order of a stage's operations, and their dependencies: see ORDERS OF OPERATIONS in sapp(7). */
#include "question.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

const struct rule *
rule_find(const char *name)
{
	static const struct rule rules[] = {
		{ "gpipe", ORDER_ALL_FIRST, 0 }, { "1f1b", ORDER_LESS_FIRST, 1 }, { "vpp", ORDER_MORE_FIRST, 0 },
		{ "vpp-less", ORDER_LESS_FIRST, 0 }, { "vpp-overlap", ORDER_ANY, 0 }, { "zb-vpp", ORDER_ANY, 0 },
		{ "zb-h1", ORDER_ANY, 1 }, { "zb-h2", ORDER_ANY, 1 }, { "zbv", ORDER_ANY, 2 },
		{ "v-half", ORDER_ANY, 2 }, { "v-min", ORDER_ANY, 2 }, { "v-auto", ORDER_ANY, 2 },
		{ "dualpipev", ORDER_ANY, 2 }, { "zero-bubble-v", ORDER_ANY, 2 },
	};

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	return NULL;
}

/* Return the number of micro-batches in the group that begins with FIRST. A group passes one chunk after the other. */
static int
group_size(const struct check_question *q, int first)
{
	const struct pipeline *a = q->asked;
	int micro = a->micro_batches, size = GIVEN(pipeline, a, group) ? a->group : a->stages, over;

	if (q->rule->order == ORDER_ALL_FIRST || micro < size)
		return micro;
	over = micro % size;
	if (GIVEN(pipeline, a, group) && over >= a->stages)
		return micro - first < size ? micro - first : size;
	return first == 0 ? size + over : size;
}

/* Return the number of forwards before the first backward, not counting the forward directly before it. */
static int
first_forwards(const struct check_question *q, int stage)
{
	int behind = q->asked->stages - 1 - stage, all = q->chunks * q->asked->micro_batches;
	int n = (q->chunks - 1) * group_size(q, 0) + (q->rule->order == ORDER_MORE_FIRST ? 2 * behind : behind);

	return q->rule->order != ORDER_ALL_FIRST && n < all ? n : all;
}

void
question_order(struct check_question *q)
{
	int micro = q->asked->micro_batches, all = q->chunks * micro, n = 0;
	struct check_operation *forward = xcalloc((size_t)all, sizeof *forward);
	struct check_operation *backward = xcalloc((size_t)all, sizeof *backward);

	for (int first = 0, size; first < micro; first += size) {
		size = group_size(q, first);
		for (int i = 0; i < size * q->chunks; i++, n++) {
			forward[n] = (struct check_operation){ true, i / size, first + i % size };
			backward[n] = (struct check_operation){ false, q->chunks - 1 - i / size, first + i % size };
		}
	}
	q->order = xcalloc((size_t)q->asked->stages * 2 * (size_t)all, sizeof *q->order);
	for (int s = 0; s < q->asked->stages; s++) {
		int f = 0, b = 0, warm = first_forwards(q, s);

		for (int i = 0; i < 2 * all; i++)
			q->order[(size_t)s * 2 * (size_t)all + (size_t)i] =
			    f < all && (f < warm || f - warm == b) ? forward[f++] : backward[b++];
	}
	free(forward);
	free(backward);
}

int
question_operations(const struct check_question *q)
{
	return 2 * q->chunks * q->asked->micro_batches;
}

struct check_operation
question_operation(const struct check_question *q, int stage, int n)
{
	return q->order[(size_t)stage * (size_t)question_operations(q) + (size_t)n];
}

bool
question_waits(const struct check_question *q, int stage, struct check_operation op, int *from,
    struct check_operation *of)
{
	int last = q->asked->stages - 1, behind = stage + (op.forward ? -1 : 1);

	*of = op;
	if (behind < 0 || behind > last) {
		behind = op.forward ? last : 0;
		of->chunk += op.forward ? -1 : 1;
	}
	*from = behind;
	return of->chunk >= 0 && of->chunk < q->chunks;
}

int
question_edge(const struct check_question *q, int from, int to)
{
	int last = q->asked->stages - 1, low = from < to ? from : to;

	return from == to ? -1 : from + to == last && low == 0 && last > 1 ? last : low;
}

/* Add a moment unless another moment dominates it. Remove the moments that it dominates. */
static void
add_moment(struct moments *m, int chunks, const int *live, int runs)
{
	int n = 0;

	for (int i = 0; i < m->n; i++) {
		const int *at = &m->live[i * chunks];
		bool less = m->runs[i] == runs, more = less;

		for (int v = 0; v < chunks; v++) {
			less &= at[v] <= live[v];
			more &= at[v] >= live[v];
		}
		if (more)
			return;
		if (less)
			continue;
		m->runs[n] = m->runs[i];
		memmove(&m->live[n++ * chunks], at, (size_t)chunks * sizeof *at);
	}
	m->n = n + 1;
	m->live = xreallocarray(m->live, (size_t)m->n * (size_t)chunks, sizeof *m->live);
	m->runs = xreallocarray(m->runs, (size_t)m->n, sizeof *m->runs);
	memcpy(&m->live[n * chunks], live, (size_t)chunks * sizeof *live);
	m->runs[n] = runs;
}

struct moments
question_moments(const struct check_question *q, int stage)
{
	struct moments m = { 0 };
	int *live = xcalloc((size_t)q->chunks, sizeof *live);

	/* Every order has the moment before its first operation. */
	if (q->any_order)
		add_moment(&m, q->chunks, live, -1);
	for (int n = 0; n < (q->any_order ? 0 : question_operations(q)); n++) {
		struct check_operation op = question_operation(q, stage, n);

		live[op.chunk] += op.forward;
		add_moment(&m, q->chunks, live, op.chunk);
		live[op.chunk] -= !op.forward;
	}
	free(live);
	return m;
}

void
moments_free(struct moments *m)
{
	free(m->live);
	free(m->runs);
}
