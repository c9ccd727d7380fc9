#include "operations.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"

enum { THREADS_MAX = 1 << 20, PARTS_MAX = 64, NUMBER_MAX = 100000000 };

/* Convert an integer. Return false if the text is invalid. */
static bool
whole(struct text t, long *x)
{
	char copy[24], *end;
	struct clipped digits = CLIPPED(copy);

	if (t.at == NULL || t.n == 0)
		return false;
	clipped_add(&digits, t.at, t.n);
	if (digits.cut)
		return false;
	*x = strtol(copy, &end, 10);
	return *end == '\0' && *x <= NUMBER_MAX && *x >= -NUMBER_MAX;
}

static bool
ends(struct text t, const char *s)
{
	return t.n >= strlen(s) && memcmp(t.at + t.n - strlen(s), s, strlen(s)) == 0;
}

static enum operation_kind
kind_of(struct text name)
{
	if (text_is(name, "forward-compute") || text_is(name, "forward_compute"))
		return OPERATION_FORWARD;
	if (text_is(name, "backward-compute") || text_is(name, "backward_compute"))
		return OPERATION_BACKWARD;
	if ((text_begins(name, "forward-") || text_begins(name, "backward-") || text_begins(name, "forward_") ||
	    text_begins(name, "backward_")) && (ends(name, "send") || ends(name, "recv")))
		return OPERATION_TRANSFER;
	return OPERATION_PART;
}

enum side
operation_side(const char *name, size_t n)
{
	const char *forward = memmem(name, n, "forward", 7), *backward = memmem(name, n, "backward", 8);
	const char *send = memmem(name, n, "send", 4), *recv = memmem(name, n, "recv", 4);
	int ways = (forward != NULL) + (backward != NULL);
	/* The words that come first in the name belong together. */
	bool first = forward != NULL && (backward == NULL || forward < backward);
	bool sends = send != NULL && (recv == NULL || send < recv);

	if (ways == 0 || ways != (send != NULL) + (recv != NULL))
		return SIDE_UNKNOWN;
	if (forward != NULL && memmem(forward + 1, n - (size_t)(forward + 1 - name), "forward", 7) != NULL)
		return SIDE_UNKNOWN;
	return first == sends ? SIDE_NEXT : SIDE_BEFORE;
}

/* Return the common name of parts that mean the same; other names stay unchanged. */
static char *
part_name(struct text name)
{
	static const struct { const char *with, *name; } known[] = {
		{ "embedding", "embedding_reduce" }, { "layernorm", "layernorm_reduce" },
		{ "params-all-gather", "parameter_gather" }, { "param-all-gather", "parameter_gather" },
		{ "grads-reduce-scatter", "gradient_reduce" }, { "grads-all-reduce", "gradient_reduce" },
		{ "clip", "clip" }, { "optimizer", "optimizer" }, { "batch-generator", "data" }, { "dataload", "data" },
	};
	char *copy = xstrndup(name.at, name.n);

	for (char *p = copy; *p != '\0'; p++)
		if (*p == '_')
			*p = '-';
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strstr(copy, known[i].with) != NULL) {
			free(copy);
			return xstrdup(known[i].name);
		}
	for (char *p = copy; *p != '\0'; p++)
		if (*p == '-' || (unsigned char)*p < ' ')
			*p = '_';
	return copy;
}

static int
part_of(struct operations *o, struct text name, const struct scan *s)
{
	char *part = part_name(name);

	for (int i = 0; i < o->parts; i++)
		if (strcmp(o->part[i], part) == 0) {
			free(part);
			return i;
		}
	if (o->parts == PARTS_MAX)
		scan_die(s, "more than %d kinds of events with a step and a micro-batch", PARTS_MAX);
	*APPEND(o->part, o->parts) = part;
	return o->parts - 1;
}

static int
thread_of(struct operations *o, const struct event *e, const struct scan *s)
{
	static const struct text none = { "", 0 };
	struct text pid = e->pid.at != NULL ? e->pid : none, tid = e->tid.at != NULL ? e->tid : none;

	if (o->threads > 0 && text_is(pid, o->thread[o->last].pid) && text_is(tid, o->thread[o->last].tid))
		return o->last;
	for (int i = 0; i < o->threads; i++)
		if (text_is(pid, o->thread[i].pid) && text_is(tid, o->thread[i].tid))
			return o->last = i;
	if (o->threads == THREADS_MAX)
		scan_die(s, "more than %d threads", THREADS_MAX);
	*APPEND(o->thread, o->threads) = (struct thread){ .pid = xstrndup(pid.at, pid.n),
	    .tid = xstrndup(tid.at, tid.n), .stage = -1, .tensor = -1, .rank = -1 };
	return o->last = o->threads - 1;
}

int
operations_rank(struct operations *o, int rank, const struct scan *s)
{
	char *name = xasprintf("%d", rank);
	const struct event e = { .pid = { "ranks", 5 }, .tid = { name, strlen(name) } };
	int i = thread_of(o, &e, s);

	free(name);
	if (o->thread[i].rank < 0) {
		o->thread[i].rank = rank;
		o->thread[i].micro = -1;
	}
	return i;
}

int
operations_part(struct operations *o, const char *name, const struct scan *s)
{
	return part_of(o, (struct text){ name, strlen(name) }, s);
}

/* Return the number after WORD in the name of a thread, such as "PP rank 3, TP rank 0, compute"; -1 if absent. */
static int
numbered(struct text name, const char *word)
{
	const char *p = memmem(name.at, name.n, word, strlen(word)), *end = name.at + name.n;
	int n = 0;

	if (p == NULL)
		return -1;
	for (p += strlen(word); p < end && (*p == ' ' || *p == '[' || *p == '=' || *p == ':' || *p == '_'); p++)
		continue;
	if (p == end || !isdigit((unsigned char)*p))
		return -1;
	for (; p < end && isdigit((unsigned char)*p) && n < 100000; p++)
		n = 10 * n + (*p - '0');
	return n < 100000 ? n : -1;
}

static void
name_thread(struct operations *o, const struct event *e, const struct scan *s)
{
	int stage = numbered(e->args_name, "PP rank"), tensor = numbered(e->args_name, "TP rank");
	int i;

	if (stage < 0)
		return;
	i = thread_of(o, e, s);
	o->thread[i].stage = stage;
	o->thread[i].tensor = tensor;
}

bool
operations_event(struct operations *o, const struct event *e, const struct scan *s)
{
	struct trace_operation op = { .chunk = -1, .micro = -1 };
	long x;

	if (e->ph == 'M' && text_is(e->name, "thread_name") && e->args_name.at != NULL) {
		name_thread(o, e, s);
		return false;
	}
	if (e->ph != 'X' || e->name.at == NULL || e->args_step.at == NULL || e->args_micro.at == NULL)
		return false;
	if (!whole(e->args_step, &op.step) || !whole(e->args_micro, &x))
		scan_die(s, "event %llu: its step or micro-batch is not a whole number", (unsigned long long)s->events);
	op.micro = (int)x;
	if (whole(e->args_chunk, &x))
		op.chunk = (int)x;
	event_times(e, &op.start, &op.end, s);
	op.kind = (int)kind_of(e->name);
	if (op.kind <= OPERATION_BACKWARD) {
		o->any = true;
		if (op.micro < 0 || op.chunk > 1000)
			scan_die(s, "event %llu: an operation of micro-batch %d, chunk %d",
			    (unsigned long long)s->events, op.micro, op.chunk);
		op.chunk = op.chunk < 0 ? 0 : op.chunk;
	}
	if (op.kind == OPERATION_TRANSFER)
		op.part = (int)operation_side(e->name.at, e->name.n);
	if (op.kind == OPERATION_PART)
		op.part = part_of(o, e->name, s);
	op.thread = thread_of(o, e, s);
	*APPEND(o->at, o->n) = op;
	return true;
}

void
operations_source(struct operations *o, const char *path)
{
	char *before = o->source;

	o->source = before != NULL ? xasprintf("%s %s", before, path) : xstrdup(path);
	free(before);
}

void
operations_free(struct operations *o)
{
	for (int i = 0; i < o->threads; i++) {
		free(o->thread[i].pid);
		free(o->thread[i].tid);
	}
	for (int i = 0; i < o->parts; i++)
		free(o->part[i]);
	free(o->part);
	free(o->thread);
	free(o->at);
	free(o->source);
	*o = (struct operations){ 0 };
}
