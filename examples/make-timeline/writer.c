/* Writer: events of a profiler, in the form of one of its releases. */
#include "writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kineto.h"
#include "lib/base/place.h"

void
writer_put(struct writer *w, const char *fmt, ...)
{
	char text[8192];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof text || gzwrite(w->file, text, (unsigned)n) != n)
		place_die((struct place){ .source = w->path }, "cannot be written");
	w->bytes += (uint64_t)n;
}

const char *
writer_when(const struct writer *w, int64_t start, int64_t end)
{
	static char text[2][128];
	static int turn;
	char *t = text[turn ^= 1];
	int64_t duration = end - start;

	switch (w->asked->format) {
	case DISPLAY:
		start -= w->begin;
		/* FALLTHROUGH */
	case OLDER:
	case MSPROF:
		snprintf(t, sizeof text[0], "\"ts\": %lld.%03lld, \"dur\": %lld.%03lld",
		    (long long)start / 1000, (long long)start % 1000, (long long)duration / 1000,
		    (long long)duration % 1000);
		break;
	case TRACE_VIEW:
	case KINETO:	/* has its own */
		snprintf(t, sizeof text[0], "\"ts\": \"%lld.%03lld\", \"dur\": %lld.%03lld",
		    (long long)start / 1000, (long long)start % 1000, (long long)duration / 1000,
		    (long long)duration % 1000);
		break;
	}
	return t;
}

static void
put_scope(struct writer *w, int depth)
{
	struct scope *s = &w->open[depth];

	if (w->asked->format == OLDER)
		EVENT(w, "\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": \"Scope Name\", %s, "
		    "\"scope_level\": %d", s->name, SCOPES, writer_when(w, s->start, s->end), depth);
	else
		EVENT(w, "\"name\": \"%s\", \"pid\": %d, \"tid\": %d, %s, \"ph\": \"X\", \"args\": {}",
		    s->name, SCOPES, depth, writer_when(w, s->start, s->end));
	s->name[0] = '\0';
}

/* A component is open until another begins at its depth; deeper components stay open. */
static void
follow_scopes(struct writer *w, const char *path, int64_t start, int64_t end)
{
	const char *p = path, *slash;
	int depth = 0;

	for (; (slash = strchr(p, '/')) != NULL && depth < DEPTH; p = slash + 1, depth++) {
		struct scope *s = &w->open[depth];
		size_t n = (size_t)(slash - p);

		if (s->name[0] != '\0' && (strlen(s->name) != n || memcmp(s->name, p, n) != 0)) {
			/* Closed by the next kernel rather than by its own last kernel. */
			if (depth > 0 && w->asked->overhang && strcmp(w->open[0].name, "Default") != 0)
				s->end = start;
			put_scope(w, depth);
		}
		if (s->name[0] == '\0') {
			snprintf(s->name, sizeof s->name, "%.*s", (int)n, p);
			s->start = s->end = start;
		}
		if (end > s->end)
			s->end = end;
	}
}

static bool
format_has_scopes(enum format f)
{
	return f == TRACE_VIEW || f == OLDER;
}

/* Write the events of a kernel in the other processes. */
static void
put_surroundings(struct writer *w, const char *path, int64_t start, int64_t end)
{
	const char *op = strrchr(path, '/') + 1;
	unsigned long long id = w->events;

	EVENT(w, "\"ph\": \"X\", \"name\": \"KernelLaunch#%s\", \"pid\": 3096504, \"tid\": 3096504, %s, "
	    "\"cat\": \"cpu_op\", \"args\": {\"Sequence number\": -1, \"Fwd thread id\": 0, \"Input Dims\": "
	    "\"4096,4096;\\r\\n;\\r\\n4096,1536\", \"Call stack\": "
	    "\"/home/\xc3\xa9l\xc3\xa8ve/mindformers/models/llama/llama.py(180): "
	    "construct;\\r\\n\\\"train\\\" run_mindformer.py(41)\"}", op,
	    writer_when(w, start - 40000, start - 31000));
	EVENT(w, "\"name\": \"AscendCL@aclopExecuteV2\", \"pid\": 3170820320, \"tid\": 3099702, %s, "
	    "\"args\": {\"Thread Id\": 3099702, \"Mode\": \"ACL_OP\", \"level\": \"acl\", \"id\": "
	    "\"aclopExecuteV2\", \"connection_id\": %llu}, \"ph\": \"X\"",
	    writer_when(w, start - 30000, start - 26000), id);
	EVENT(w, "\"name\": \"HostToDevice\", \"ph\": \"s\", \"cat\": \"HostToDevice\", \"id\": \"%llu\", "
	    "\"pid\": 3170820320, \"tid\": 3099702, \"ts\": \"%lld.000\"", id,
	    (long long)(start - 30000) / 1000);
	EVENT(w, "\"name\": \"HostToDevice\", \"ph\": \"f\", \"bp\": \"e\", \"cat\": \"HostToDevice\", "
	    "\"id\": \"%llu\", \"pid\": %d, \"tid\": 2, \"ts\": \"%lld.000\"", id, HARDWARE,
	    (long long)start / 1000);
	EVENT(w, "\"name\": \"Computing\", \"pid\": 3170820832, \"tid\": 0, %s, \"ph\": \"X\"",
	    writer_when(w, start, end));
	if (id % 7 == 0)
		EVENT(w, "\"name\": \"AI Core Freq\", \"ts\": \"%lld.000\", \"pid\": 3170820544, \"tid\": 0, "
		    "\"args\": {\"MHz\": 1850}, \"ph\": \"C\"", (long long)start / 1000);
}

void
writer_kernel(struct writer *w, const char *path, int stream, int64_t start, int64_t end)
{
	const char *op = strrchr(path, '/') + 1;
	char type[64];

	if (w->asked->format == KINETO) {
		kineto_kernel(w, path, stream == 3, start, end);
		return;
	}
	snprintf(type, sizeof type, "%.*s", (int)strcspn(op, "-"), op);
	if (w->asked->format == DISPLAY) {
		EVENT(w, "\"name\": \"%s\", \"ph\": \"X\", \"tid\": \"%d\", %s, \"pid\": 1, \"args\": "
		    "{\"type\": \"%s\", \"fullname\": \"%s\", \"input_0\": {\"format\": \"DefaultFormat\", "
		    "\"data_type\": \"NUMBER_TYPE_BFLOAT16\", \"shape\": \"4096,1536\"}}", op, 500 + stream,
		    writer_when(w, start, end), type, path);
		return;
	}
	if (format_has_scopes(w->asked->format))
		put_surroundings(w, path, start, end);
	EVENT(w, "\"name\": \"%s\", \"pid\": %d, \"tid\": %d, %s, \"args\": {\"Model Id\": 4294967295, "
	    "\"Task Type\": \"AI_CORE\", \"Physic Stream Id\": %d, \"Task Id\": %d, \"Batch Id\": 0, "
	    "\"Subtask Id\": 4294967295, \"Aicore Time(ms)\": \"N/A\", \"Total Cycle\": \"N/A\"}, \"ph\": "
	    "\"X\"", w->asked->plain ? type : path, HARDWARE, stream, writer_when(w, start, end), stream,
	    w->kernel % 65536);
	if (format_has_scopes(w->asked->format))
		follow_scopes(w, path, start, end);
}

void
writer_communication(struct writer *w, const char *path, int64_t start, int64_t end)
{
	writer_kernel(w, path, 3, start, end);
	if (w->asked->format == KINETO)
		return;
	if (w->asked->format == DISPLAY)
		EVENT(w, "\"name\": \"stream_3_parallel_0\", \"ph\": \"X\", \"tid\": 503, %s, \"pid\": 10000",
		    writer_when(w, start, end));
	else
		EVENT(w, "\"name\": \"hcom_allReduce__%03d_%d_1\", \"pid\": 3170820576, \"tid\": 0, %s, "
		    "\"ph\": \"X\"", w->step, w->kernel, writer_when(w, start, end));
}

static void
put_process(struct writer *w, long long pid, const char *name, const char *label, int order)
{
	EVENT(w, "\"name\": \"process_name\", \"pid\": %lld, \"tid\": 0, \"args\": {\"name\": \"%s\"}, "
	    "\"ph\": \"M\"", pid, name);
	EVENT(w, "\"name\": \"process_labels\", \"pid\": %lld, \"tid\": 0, \"args\": {\"labels\": \"%s\"}, "
	    "\"ph\": \"M\"", pid, label);
	EVENT(w, "\"name\": \"process_sort_index\", \"pid\": %lld, \"tid\": 0, \"args\": {\"sort_index\": "
	    "%d}, \"ph\": \"M\"", pid, order);
}

static void
put_names(struct writer *w)
{
	char scopes[64];

	snprintf(scopes, sizeof scopes, w->asked->format == OLDER ? "Scope Layer Rank%d" : "Scope Layer",
	    w->stage * RANKS_PER_STAGE);
	put_process(w, HARDWARE, "Ascend Hardware", "NPU", 13);
	for (int stream = 2; stream <= 3; stream++)
		EVENT(w, "\"name\": \"thread_name\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": \"Stream "
		    "%d\"}, \"ph\": \"M\"", HARDWARE, stream, stream);
	EVENT(w, "\"name\": \"thread_name\", \"pid\": %d, \"tid\": 10036, \"args\": {\"name\": \"Step "
	    "Trace(Model ID:2)\"}, \"ph\": \"M\"", HARDWARE);
	put_process(w, 3170820576, "HCCL", "NPU", 18);
	put_process(w, 3170820544, "AI Core Freq", "NPU", 14);
	put_process(w, 3170820832, "Overlap Analysis", "NPU", 21);
	if (format_has_scopes(w->asked->format))
		put_process(w, SCOPES, scopes, "NPU", 5);
}

void
writer_open(struct writer *w)
{
	writer_put(w, "[");
	if (w->asked->format == DISPLAY)
		return;
	put_process(w, 3096504, "MindSpore", "CPU", 0);
	put_process(w, 3170820320, "CANN", "CPU", 7);
}

void
writer_close(struct writer *w)
{
	for (int i = 0; i < DEPTH; i++)
		if (w->open[i].name[0] != '\0')
			put_scope(w, i);
	if (w->asked->format != DISPLAY)
		put_names(w);
	writer_put(w, "]");
}
