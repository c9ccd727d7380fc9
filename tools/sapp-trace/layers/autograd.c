#include "autograd.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

/*
 * A forward operation. A backward node has the sequence number of the last forward operation that began with this
 * number.
 */
struct forward {
	int64_t sequence;
	int64_t start;
	uint32_t thread;
};

struct forwards {
	size_t n;
	struct forward *at;
};

ORDER_BY(by_sequence, struct forward, it->sequence, it->start)

ORDER_BY(by_thread, struct host_op, it->thread, it->start, -it->end)

ORDER_BY(by_flow, struct kernel_launch, it->thread, it->ts)

ORDER_BY(by_flow_key, struct kernel_launch, it->key)

/* Return the index of the first forward operation of SEQUENCE; f->n: none. */
static size_t
first_of(const struct forwards *f, int64_t sequence)
{
	return COUNT_BEFORE(f->at, f->n, it->sequence < sequence);
}

/*
 * Backward operations name the thread of their forward by a number that other events do not use. Each backward
 * operation votes for the threads that ran a forward with its sequence number. The number then means the thread with
 * the most votes.
 */
enum { FORWARD_THREADS = 64 };

struct vote {
	long number;
	uint32_t thread[FORWARD_THREADS];
	size_t votes[FORWARD_THREADS];
	int threads;
};

struct votes {
	int n;
	struct vote at[FORWARD_THREADS];
};

static struct vote *
vote_of(struct votes *v, long number)
{
	for (int i = 0; i < v->n; i++)
		if (v->at[i].number == number)
			return &v->at[i];
	if (v->n == FORWARD_THREADS)
		return NULL;
	v->at[v->n] = (struct vote){ .number = number };
	return &v->at[v->n++];
}

static void
cast(struct votes *v, const struct forwards *f, const struct host_op *op)
{
	struct vote *x = vote_of(v, op->forward_thread);

	for (size_t i = first_of(f, op->sequence); x != NULL && i < f->n && f->at[i].sequence == op->sequence; i++) {
		int k = 0;

		/* Count each thread once, by its last operation before OP. */
		if (f->at[i].start >= op->start || (i + 1 < f->n && f->at[i + 1].sequence == op->sequence &&
		    f->at[i + 1].thread == f->at[i].thread && f->at[i + 1].start < op->start))
			continue;
		while (k < x->threads && x->thread[k] != f->at[i].thread)
			k++;
		if (k == FORWARD_THREADS)
			continue;
		if (k == x->threads) {
			x->thread[k] = f->at[i].thread;
			x->votes[x->threads++] = 0;
		}
		x->votes[k]++;
	}
}

static const struct forward *
forward_of(struct votes *v, const struct forwards *f, const struct host_op *op)
{
	const struct vote *x = vote_of(v, op->forward_thread);
	const struct forward *best = NULL;
	int most = 0;

	for (int i = 1; x != NULL && i < x->threads; i++)
		if (x->votes[i] > x->votes[most])
			most = i;
	for (size_t i = first_of(f, op->sequence); i < f->n && f->at[i].sequence == op->sequence; i++)
		if (f->at[i].start < op->start && (x == NULL || x->threads == 0 || f->at[i].thread == x->thread[most]))
			best = &f->at[i];
	return best;
}

static bool
backward(const struct host_op *op)
{
	return op->forward_thread > 0;
}

/* Return a flow that ends within the operation, or NULL. */
static const struct kernel_launch *
flow_into(const struct recording *p, const struct host_op *op)
{
	size_t i = COUNT_BEFORE(p->backwards.at, p->backwards.n, it->thread < op->thread ||
	    (it->thread == op->thread && it->ts < op->start));

	if (i == p->backwards.n || p->backwards.at[i].thread != op->thread || p->backwards.at[i].ts > op->end)
		return NULL;
	return bsearch(&p->backwards.at[i], p->forwards.at, p->forwards.n, sizeof *p->forwards.at, by_flow_key);
}

static int
layer_of(const struct autograd *a, const struct recording *p, struct votes *v, const struct forwards *f,
    const struct host_op *op)
{
	const struct forward *x = op->sequence >= 0 ? forward_of(v, f, op) : NULL;
	const struct kernel_launch *flow = x == NULL && p->forwards.n > 0 ? flow_into(p, op) : NULL;
	const struct host_span *s = NULL;

	if (x != NULL)
		s = span_at(a->spans, x->thread, x->start);
	else if (flow != NULL)
		s = span_at(a->spans, flow->thread, flow->ts);
	return s != NULL ? s->instance : -1;
}

void
autograd_init(struct autograd *a, struct recording *p, const struct span_table *host)
{
	struct forwards f = { .at = xcalloc(p->ops.n + 1, sizeof *f.at) };
	struct votes *v = xcalloc(1, sizeof *v);
	int open = -1, last = -1;

	*a = (struct autograd){ .spans = host, .at = p->ops.at, .n = p->ops.n };
	SORT(p->ops.at, p->ops.n, by_thread);
	SORT(p->backwards.at, p->backwards.n, by_flow);
	SORT(p->forwards.at, p->forwards.n, by_flow_key);
	for (size_t i = 0; i < p->ops.n; i++) {
		const struct host_op *op = &p->ops.at[i];

		if (op->forward_thread == 0 && op->sequence >= 0)
			f.at[f.n++] = (struct forward){ op->sequence, op->start, op->thread };
		else if (a->nthreads == 0 || a->thread[a->nthreads - 1] != op->thread)
			*APPEND(a->thread, a->nthreads) = op->thread;
	}
	SORT(f.at, f.n, by_sequence);
	for (size_t i = 0; i < p->ops.n; i++)
		if (p->ops.at[i].forward_thread > 0 && p->ops.at[i].sequence >= 0)
			cast(v, &f, &p->ops.at[i]);
	for (size_t i = 0; i < p->ops.n; i++) {
		struct host_op *op = &p->ops.at[i];

		while (open >= 0 && (a->at[open].thread != op->thread || a->at[open].end <= op->start))
			open = a->at[open].parent;
		op->parent = open;
		op->instance = -1;
		if (last >= 0 && a->at[last].thread != op->thread)
			last = -1;
		if (backward(op)) {
			op->instance = layer_of(a, p, v, &f, op);
			/*
			 * Operations without a number, such as sums of gradients, belong to the layer of the previous
			 * operation.
			 */
			if (op->sequence < 0 && op->instance < 0 && last >= 0)
				op->instance = a->at[last].instance;
			else
				last = (int)i;
			/* A node within the evaluation of another node belongs to the layer of that node. */
			if (op->instance < 0 && open >= 0 && backward(&a->at[open]) && op->sequence < 0)
				op->instance = a->at[open].instance;
		}
		open = (int)i;
	}
	free(f.at);
	free(v);
}

struct attribution
autograd_at(const struct autograd *a, uint32_t thread, int64_t ns)
{
	struct attribution none = { -1, TIMING_FORWARD };
	const struct host_span *span;
	bool again = false;
	int i = (int)COUNT_BEFORE(a->at, a->n, it->thread < thread || (it->thread == thread && it->start <= ns)) - 1;

	for (; i >= 0 && (a->at[i].thread != thread || a->at[i].end <= ns); i = a->at[i].parent)
		if (a->at[i].thread != thread)
			return none;
	/* A forward operation within a backward is recomputation. So is a checkpoint's own call. */
	for (; i >= 0 && !backward(&a->at[i]); i = a->at[i].parent)
		again = true;
	if (i < 0)
		return none;
	span = span_at(a->spans, thread, ns);
	if (span != NULL)
		return (struct attribution){ span->instance, TIMING_RECOMPUTE };
	return (struct attribution){ a->at[i].instance, again || a->at[i].checkpoint ? TIMING_RECOMPUTE :
	    TIMING_BACKWARD };
}

bool
autograd_thread(const struct autograd *a, uint32_t thread)
{
	for (size_t i = 0; i < a->nthreads; i++)
		if (a->thread[i] == thread)
			return true;
	return false;
}

void
autograd_free(struct autograd *a)
{
	free(a->thread);
	*a = (struct autograd){ 0 };
}
