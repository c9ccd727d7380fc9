#include "recording.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/memstream.h"
#include "lib/base/sorted.h"

enum { OPS_MAX = 1 << 30 };

static uint32_t
thread_of(struct text tid)
{
	return (uint32_t)hash_text(tid.at != NULL ? tid.at : "", tid.n, 0);
}

/* Return a key for an identifier, which is a number of up to 20 digits, or a text. */
static uint64_t
key_of(struct text id)
{
	return hash_text(id.at, id.n, 0) | 1;
}

static uint32_t
external_of(const struct event *e)
{
	return e->external.n > 0 ? (uint32_t)hash_text(e->external.at, e->external.n, 0) | 1 : 0;
}

static void
flow(struct recording *p, const struct event *e, const struct scan *s)
{
	bool npu = text_begins(e->cat, "async_npu"), link = text_begins(e->cat, "fwdbwd");
	struct kernel_launch x = { 0 };

	if ((!npu && !link) || e->id.n == 0)
		return;
	x.key = key_of(e->id);
	x.thread = thread_of(e->tid);
	x.ts = event_start(e, s);
	if (npu && e->ph == 's')
		*APPEND(p->launches.at, p->launches.n) = x;
	else if (npu)
		*APPEND(p->arrivals.at, p->arrivals.n) = x;
	else if (e->ph == 's')
		*APPEND(p->forwards.at, p->forwards.n) = x;
	else
		*APPEND(p->backwards.at, p->backwards.n) = x;
	p->npu |= npu;
}

/* Return the size of a number in bytes, from PyTorch's name of its type; 0 if unknown. */
static double
number_size(struct text type)
{
	static const struct { const char *word; double bytes; } words[] = {
		{ "BFloat16", 2 }, { "Half", 2 }, { "Float8", 1 }, { "Float", 4 }, { "Double", 8 }, { "Long", 8 },
		{ "Int", 4 }, { "Byte", 1 }, { "Char", 1 }, { "Bool", 1 },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (type.n > 0 && memmem(type.at, type.n, words[i].word, strlen(words[i].word)) != NULL)
			return words[i].bytes;
	return 0;
}

static double
count_of(struct text t)
{
	return fmax((double)text_whole(t, LONG_MAX / 10 - 1), 0);
}

/* Convert "[[2, 3], [], [[4], [5]]]" to "2,3;;4;5" and write it. */
static void
put_dims(FILE *f, struct text t)
{
	int depth = 0, shapes = 0;
	bool leaf = false, begun = false;	/* leaf: within a list of numbers; begun: part of it was written */

	for (size_t i = 0; i < t.n; i++) {
		char c = t.at[i];

		if (c == '[') {
			depth++;
			leaf = true;
			begun = false;
			continue;
		}
		if (leaf && !begun && depth > 1 && (c == ']' || (c >= '0' && c <= '9'))) {
			fputs(shapes++ > 0 ? ";" : "", f);
			begun = true;
		}
		if (c == ']') {
			leaf = false;
			depth--;
		} else if (leaf && begun && (c == ',' || (c >= '0' && c <= '9'))) {
			putc(c, f);
		}
	}
}

/* Record the input of an operator. */
static void
input(struct recording *p, const struct event *e)
{
	char *text;
	size_t n;
	FILE *f;

	if (!p->keep || e->dims.n == 0 || e->external.n == 0)
		return;
	f = memstream_open(&text, &n);
	put_dims(f, e->dims);
	fputs("||", f);
	for (size_t i = 0; i < e->types.n; i++)
		if (strchr("[]\"| \n\t", e->types.at[i]) == NULL)
			putc(e->types.at[i] == ',' ? ';' : e->types.at[i], f);
	memstream_close(f);
	*APPEND(p->inputs.at, p->inputs.n) = (struct host_input){ external_of(e), keys_take(&p->input, text) };
}

ORDER_BY(by_external, struct host_input, it->external)

void
recording_sort(struct recording *p)
{
	SORT(p->inputs.at, p->inputs.n, by_external);
}

const char *
recording_input(const struct recording *p, uint32_t external)
{
	const struct host_input key = { .external = external }, *found = NULL;

	if (external != 0 && p->inputs.n > 0)
		found = bsearch(&key, p->inputs.at, p->inputs.n, sizeof *p->inputs.at, by_external);
	return found != NULL ? p->input.at[found->key] : "";
}

/*
 * Return the type of a collective. Its name consists of NAME, the kernel of the library, the operation, and the ranks,
 * and is the same on all these ranks.
 */
static uint32_t
collective_type(struct recording *p, struct text name, const struct event *e, const struct scan *s)
{
	bool list = e->group.n > 0 && e->group.at[0] == '[';
	double bytes = number_size(e->dtype) * fmax(count_of(e->in), count_of(e->out));
	char *size = bytes > 0 ? xasprintf(" %.0f B", bytes) : xstrdup("");
	char *all = xasprintf("%.*s %.*s %s%.*s%s%s", (int)name.n, name.at, (int)e->collective.n,
	    e->collective.n > 0 ? e->collective.at : "", list ? "" : "[", (int)e->group.n,
	    e->group.n > 0 ? e->group.at : "", list ? "" : "]", size);
	uint32_t type = sequence_type(&p->types, (struct text){ all, strlen(all) }, ROLE_COMMUNICATION, s->place);

	free(all);
	free(size);
	return type;
}

static void
kernel(struct recording *p, const struct event *e, int process, bool npu, const struct scan *s)
{
	struct host_kernel k = { .process = process, .npu = npu, .stream = thread_of(e->tid),
		.external = external_of(e) };

	event_times(e, &k.start, &k.end, s);
	k.type = e->group.n > 0 ? collective_type(p, e->name, e, s) : sequence_type(&p->types, e->name, 0, s->place);
	if (e->correlation.n > 0)
		k.launch = key_of(e->correlation);
	*APPEND(p->kernels.at, p->kernels.n) = k;
}

/* Return whether a task of Ascend Hardware computes. Other tasks wait, notify or copy. */
static bool
computes(struct text task)
{
	static const char *const kinds[] = { "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "AIV", "AIC",
		"KERNEL", "AI_CPU", "AICPU", "DSA", "Other", "FFTS_PLUS", NULL };

	for (int i = 0; kinds[i] != NULL; i++)
		if (text_begins(task, kinds[i]))
			return true;
	return false;
}

static void
layer(struct recording *p, const struct event *e, bool device, const struct scan *s)
{
	struct host_span x = { .thread = thread_of(e->tid) };
	struct span_name name;

	if (!span_name(p->classes, e->name, &name))
		return;
	event_times(e, &x.start, &x.end, s);
	x.class = name.class;
	x.number = name.number;
	x.number_given = name.number >= 0;
	x.phase = name.phase;
	x.phase_given = name.phase_given;
	if (device)
		*APPEND(p->device_spans.at, p->device_spans.n) = x;
	else
		*APPEND(p->spans.at, p->spans.n) = x;
}

static void
op(struct recording *p, const struct event *e, const struct scan *s)
{
	bool evaluates = text_begins(e->name, "autograd::engine::evaluate_function");
	struct host_op x = { .sequence = text_whole(e->sequence, LONG_MAX / 10 - 1), .thread = thread_of(e->tid) };
	long thread;

	if ((x.sequence < 0 && !evaluates) || p->ops.n == OPS_MAX)
		return;
	event_times(e, &x.start, &x.end, s);
	thread = text_whole(e->forward_thread, LONG_MAX / 10 - 1);
	x.forward_thread = thread > 0 ? (int32_t)(thread < INT32_MAX ? thread : INT32_MAX) : evaluates;
	x.checkpoint = memmem(e->name.at, e->name.n, "Checkpoint", 10) != NULL;
	*APPEND(p->ops.at, p->ops.n) = x;
}

static void
collective(struct recording *p, const struct event *e, const struct scan *s)
{
	struct host_collective x = { .thread = thread_of(e->tid) };

	event_times(e, &x.start, &x.end, s);
	x.type = collective_type(p, (struct text){ "nccl", 4 }, e, s);
	*APPEND(p->collectives.at, p->collectives.n) = x;
}

bool
recording_event(struct recording *p, const struct event *e, int process, const struct scan *s)
{
	static const char *const device[] = { "kernel", "Kernel", "gpu_memcpy", "gpu_memset", "Memcpy", "Memset",
		"concurrent_kernel", NULL };

	if (e->ph == 's' || e->ph == 'f') {
		flow(p, e, s);
		return true;
	}
	if (e->ph != 'X' || e->name.at == NULL)
		return false;
	if (e->cat.n == 0) {
		if (!text_begins(e->name, "hcom_") && (e->task_type.n == 0 || !computes(e->task_type) ||
		    memchr(e->name.at, '/', e->name.n) != NULL))
			return false;
		kernel(p, e, process, true, s);
		return true;
	}
	p->pytorch = true;
	for (int i = 0; device[i] != NULL; i++)
		if (text_is(e->cat, device[i])) {
			kernel(p, e, process, false, s);
			return true;
		}
	if (text_is(e->cat, "gpu_user_annotation")) {
		layer(p, e, true, s);
		return true;
	}
	if (e->correlation.n > 0) {
		*APPEND(p->launches.at, p->launches.n) = (struct kernel_launch){ .key = key_of(e->correlation),
		    .ts = event_start(e, s), .thread = thread_of(e->tid), .external = external_of(e) };
		return true;
	}
	input(p, e);
	if (text_is(e->name, "record_param_comms") && e->collective.n > 0 && e->group.n > 0)
		collective(p, e, s);
	if (text_begins(e->name, "Optimizer.step#")) {
		struct step_mark m = { .process = process };

		event_times(e, &m.start, &m.end, s);
		*APPEND(p->optimizers.at, p->optimizers.n) = m;
	} else if (text_is(e->cat, "user_annotation") || text_begins(e->name, "nn.Module: ") ||
	    (!text_is(e->cat, "python_function") && memmem(e->name.at, e->name.n, "::", 2) == NULL))
		layer(p, e, false, s);
	if (e->sequence.n > 0 || text_begins(e->name, "autograd::engine::"))
		op(p, e, s);
	return true;
}

#define DROP(vector) do { \
	free((vector).at); \
	memset(&(vector), 0, sizeof (vector)); \
} while (0)

void
recording_drop_launches(struct recording *p)
{
	DROP(p->launches);
	DROP(p->arrivals);
	DROP(p->collectives);
}

void
recording_drop_host(struct recording *p)
{
	recording_drop_launches(p);
	DROP(p->forwards);
	DROP(p->backwards);
	DROP(p->ops);
	DROP(p->spans);
	DROP(p->device_spans);
}

void
recording_free(struct recording *p)
{
	recording_drop_host(p);
	sequence_free(&p->types);
	free(p->kernels.at);
	free(p->inputs.at);
	keys_free(&p->input);
	free(p->optimizers.at);
	*p = (struct recording){ 0 };
}
