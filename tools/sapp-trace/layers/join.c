#include "join.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "autograd.h"
#include "span_table.h"

ORDER_BY(by_key, struct kernel_launch, it->key, it->ts)

ORDER_BY(by_start, struct joined, it->kernel->start, it->kernel->end)

ORDER_BY(by_arrival, struct kernel_launch, it->ts, it->thread)

static const struct kernel_launch *
launch_of(const struct recording *p, uint64_t key)
{
	size_t i = COUNT_BEFORE(p->launches.at, p->launches.n, it->key < key);

	return i < p->launches.n && p->launches.at[i].key == key ? &p->launches.at[i] : NULL;
}

/* Give each kernel that begins at the end of a flow the key of this flow. */
static void
land_flows(struct recording *p)
{
	if (p->arrivals.n == 0)
		return;
	SORT(p->arrivals.at, p->arrivals.n, by_arrival);
	for (size_t i = 0; i < p->kernels.n; i++) {
		struct host_kernel *k = &p->kernels.at[i];
		size_t n = COUNT_BEFORE(p->arrivals.at, p->arrivals.n, it->ts < k->start ||
		    (it->ts == k->start && it->thread < k->stream));

		if (k->launch == 0 && n < p->arrivals.n && p->arrivals.at[n].ts == k->start &&
		    p->arrivals.at[n].thread == k->stream)
			k->launch = p->arrivals.at[n].key;
	}
}

/* Return the process of the device with the most kernels. torch_npu puts communication on a separate process. */
static int
device_of(const struct recording *p, const struct processes *processes)
{
	size_t *n = xcalloc((size_t)processes->n + 1, sizeof *n), most = 0;
	int best = -1;

	for (size_t i = 0; i < p->kernels.n; i++) {
		const struct host_kernel *k = &p->kernels.at[i];

		if ((!k->npu || process_is_device(&processes->at[k->process])) && ++n[k->process] > most) {
			most = n[k->process];
			best = k->process;
		}
	}
	free(n);
	return best;
}

ORDER_BY(by_call, struct host_collective, it->thread, it->start)

/* Return the type of a kernel. If a collective has no group in its name, return the type of the host's call. */
static uint32_t
type_of(const struct recording *p, const struct host_kernel *k, const struct kernel_launch *l)
{
	size_t n;

	if (l == NULL || !(p->types.type[k->type].roles & ROLE_COMMUNICATION) ||
	    strchr(p->types.type[k->type].name, '[') != NULL)
		return k->type;
	/* The last call before the launch. */
	n = COUNT_BEFORE(p->collectives.at, p->collectives.n, it->thread < l->thread ||
	    (it->thread == l->thread && it->start <= l->ts));
	if (n == 0 || p->collectives.at[n - 1].thread != l->thread || p->collectives.at[n - 1].end < l->ts)
		return k->type;
	return p->collectives.at[n - 1].type;
}

static void
find_launch(const struct recording *p, struct joined *x)
{
	const struct kernel_launch *l = x->kernel->launch != 0 ? launch_of(p, x->kernel->launch) : NULL;

	x->linked = l != NULL;
	x->type = type_of(p, x->kernel, l);
	x->ts = l != NULL ? l->ts : x->kernel->start;
	x->thread = l != NULL ? l->thread : 0;
	x->external = x->kernel->external != 0 || l == NULL ? x->kernel->external : l->external;
}

ORDER_BY(by_stream, struct host_kernel, (int)it->process, it->stream, it->start, it->end)

/* Cut each kernel at the start of the next kernel on its stream, because a stream runs one kernel at a time. */
static void
cut_overlaps(struct recording *p, struct place at)
{
	struct host_kernel *before = NULL;
	size_t n = 0;
	int64_t most = 0;

	SORT(p->kernels.at, p->kernels.n, by_stream);
	for (size_t i = 0; i < p->kernels.n; i++) {
		struct host_kernel *k = &p->kernels.at[i];

		if (p->types.type[k->type].roles & ROLE_COMMUNICATION)
			continue;
		if (before != NULL && k->process == before->process && k->stream == before->stream)
			sequence_cut(&before->start, &before->end, k->start, &n, &most);
		before = k;
	}
	sequence_tell_cut(n, most, at);
}

/*
 * Return the number of forwards per step of each BODY layer of TABLE; 0: the numbers differ. Forwards on the threads
 * that run backwards are recomputation.
 */
static int
forwards_of(const struct span_table *table, const struct autograd *autograd, const struct classes *classes,
    const struct steps *steps, int instances)
{
	int *runs = xcalloc((size_t)instances * (size_t)steps->n + 1, sizeof *runs), micro = 0;

	for (size_t i = 0; i < table->n; i++) {
		const struct host_span *x = &table->at[i];
		int step = step_at(steps, x->start);

		if (classes->at[x->class].type == LAYER_BODY && x->number_given && x->phase == TIMING_FORWARD &&
		    step >= 0 && !autograd_thread(autograd, x->thread))
			runs[(size_t)x->instance * (size_t)steps->n + (size_t)step]++;
	}
	for (size_t i = 0; i < (size_t)instances * (size_t)steps->n && micro >= 0; i++)
		if (runs[i] > 0)
			micro = micro == 0 || micro == runs[i] ? runs[i] : -1;
	free(runs);
	return micro > 0 ? micro : 0;
}

void
join_make(struct join *j, struct recording *p, const struct processes *processes, const struct steps *steps, int micro,
    struct instances *instances, struct place at)
{
	struct span_table host, phased, device;
	struct autograd autograd;
	int from = device_of(p, processes);

	*j = (struct join){ .at = xcalloc(p->kernels.n + 1, sizeof *j->at) };
	land_flows(p);
	cut_overlaps(p, at);
	SORT(p->launches.at, p->launches.n, by_key);
	for (size_t i = 0; i < p->kernels.n; i++)
		if (p->kernels.at[i].process == from || (p->kernels.at[i].npu &&
		    (p->types.type[p->kernels.at[i].type].roles & ROLE_COMMUNICATION)))
			j->at[j->n++] = (struct joined){ .kernel = &p->kernels.at[i], .instance = -1 };
	SORT(j->at, j->n, by_start);
	SORT(p->collectives.at, p->collectives.n, by_call);
	span_number(p, steps, micro);
	for (size_t i = 0; i < j->n; i++)
		find_launch(p, &j->at[i]);
	recording_drop_launches(p);
	span_table_init(&host, p, SPANS_OF_THREADS, instances, at);
	span_table_init(&phased, p, SPANS_OF_PHASES, instances, at);
	span_table_init(&device, p, SPANS_OF_DEVICE, instances, at);
	autograd_init(&autograd, p, &host);
	j->micro = forwards_of(host.n > 0 ? &host : &device, &autograd, p->classes, steps, instances->n);
	for (size_t i = 0; i < j->n; i++) {
		struct joined *x = &j->at[i];
		const struct host_span *s = span_at(&device, x->kernel->stream, x->kernel->start);
		struct attribution a;

		if (x->linked) {
			x->backward = autograd_thread(&autograd, x->thread);
			if (s == NULL)
				s = span_at(&phased, 0, x->ts);
			a = autograd_at(&autograd, x->thread, x->ts);
			if (s == NULL && a.instance >= 0) {
				x->instance = a.instance;
				x->phase = (uint8_t)a.phase;
				continue;
			}
			if (s == NULL)
				s = span_at(&host, x->thread, x->ts);
		}
		if (s != NULL) {
			x->instance = s->instance;
			x->phase = (uint8_t)s->phase;
		}
	}
	autograd_free(&autograd);
	span_table_free(&host);
	span_table_free(&phased);
	span_table_free(&device);
	recording_drop_host(p);
}

void
join_free(struct join *j)
{
	free(j->at);
	*j = (struct join){ 0 };
}
