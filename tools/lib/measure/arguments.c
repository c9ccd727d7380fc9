#include "arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/part.h"
#include "lib/script/listed.h"
#include "lib/setup/layout.h"

enum { NUMBER_MAX = 100000000, STAGES_MAX = 10000, TEXT_MAX = 1 << 16 };
enum { TRUST_COMMAND = 1, TRUST_LIST };

static const char *const names[ARGUMENTS] = {
	[ARGUMENT_PIPELINE] = "pipeline_model_parallel_size",
	[ARGUMENT_TENSOR] = "tensor_model_parallel_size",
	[ARGUMENT_CONTEXT] = "context_parallel_size",
	[ARGUMENT_DATA] = "data_parallel_size",
	[ARGUMENT_WORLD] = "world_size",
	[ARGUMENT_CHUNKS] = "virtual_pipeline_model_parallel_size",
	[ARGUMENT_LAYERS_A_CHUNK] = "num_layers_per_virtual_pipeline_stage",
	[ARGUMENT_LAYERS] = "num_layers",
	[ARGUMENT_MICRO_BATCH] = "micro_batch_size",
	[ARGUMENT_GLOBAL_BATCH] = "global_batch_size",
};

static bool
word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Compare a name; dashes and blanks match its underscores. */
static bool
matches(struct part line, const char *p, const char *name)
{
	for (; *name != '\0'; name++, p++)
		if (p == line.end || (*p != *name && !(*name == '_' && (*p == '-' || *p == ' '))))
			return false;
	return p == line.end || (!word_char(*p) && !(*p == '-' && p + 1 < line.end && word_char(p[1])));
}

/* Find NAME as a whole word, or after two dashes. */
static const char *
find(struct part line, const char *name)
{
	const char *p = line.at;

	while (p < line.end && (p = memchr(p, name[0], (size_t)(line.end - p))) != NULL) {
		bool begins = p == line.at ||
		    (!word_char(p[-1]) && (p[-1] != '-' || (p > line.at + 1 && p[-2] == '-')));

		if (begins && matches(line, p, name))
			return p;
		p++;
	}
	return NULL;
}

/* Return the value after a name: up to the next blank, without quotes. */
static struct part
value(struct part line, const char *p, bool *list)
{
	struct part v;
	int dots = 0;

	for (; p < line.end && strchr(" .:=\t\"'", *p) != NULL && *p != '\0'; p++)
		dots += *p == '.' || *p == ':';
	*list = dots > 0;
	v.at = p;
	while (p < line.end && !isspace((unsigned char)*p) && *p != '"' && *p != '\'' && *p != '\x1b' && *p != ',')
		p++;
	v.end = p;
	return v;
}

/* Return a value as a whole number; 0: None or not a number. */
static int
number(struct part v)
{
	long n = part_whole(&v.at, v.end, NUMBER_MAX);

	return n > 0 && v.at == v.end ? (int)n : 0;
}

/* Return the end of the list at P, after its closing bracket. */
static const char *
list_end(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		depth += *p == '[';
		depth -= *p == ']';
		if (depth == 0)
			return p + 1;
	}
	return end;
}

static void
append(struct arguments *a, const char *between, struct part t)
{
	char *all = xasprintf("%s%s%.*s", a->layout, between, (int)(t.end - t.at), t.at);

	free(a->layout);
	a->layout = all;
}

/* Read a line of a multi-line layout: "- - embedding" starts a piece, "- decoder" continues it; or "- [decoder]". */
static bool
layout_line(struct arguments *a, struct part line)
{
	bool first;

	if (!a->layout_open)
		return false;
	while (line.at < line.end && isspace((unsigned char)*line.at))
		line.at++;
	while (line.end > line.at && isspace((unsigned char)line.end[-1]))
		line.end--;
	if (line.at == line.end)
		return true;
	a->layout_open = *line.at == '-' && strlen(a->layout) < TEXT_MAX;
	if (!a->layout_open && a->layout[1] == '\0') {	/* not a list */
		free(a->layout);
		a->layout = NULL;
	}
	if (!a->layout_open)
		return false;
	do
		line.at++;
	while (line.at < line.end && *line.at == ' ');
	first = line.at < line.end && (*line.at == '-' || *line.at == '[');
	if (first && *line.at == '-') {
		do
			line.at++;
		while (line.at < line.end && *line.at == ' ');
		append(a, a->layout[1] != '\0' ? "],[" : "[", line);
	} else if (first) {
		append(a, a->layout[1] != '\0' ? "],[" : "[", (struct part){ line.at + 1, line.end - 1 });
	} else {
		append(a, ",", line);
	}
	return true;
}

static void
words(struct arguments *a, struct part line, struct place at)
{
	const char *p;
	bool list;

	if ((p = find(line, "pipeline_model_parallel_layout")) != NULL) {
		struct part v = value(line, p + strlen("pipeline_model_parallel_layout"), &list);
		bool lists = v.at < line.end && *v.at == '[';

		/* Commas, and blanks of lists, belong to the value. */
		if (lists)
			v.end = list_end(v.at, line.end);
		while (!lists && v.end < line.end && !isspace((unsigned char)*v.end) && *v.end != '"' &&
		    *v.end != '\'' && *v.end != '\x1b')
			v.end++;
		if (v.end > v.at && v.end - v.at < TEXT_MAX && !part_is(v, "None") && v.at[0] != '$') {
			free(a->layout);
			a->layout = xstrndup(v.at, (size_t)(v.end - v.at));
			a->layout_lines = false;
			a->layout_place = at;
		} else if (list && v.at == line.end) {
			free(a->layout);
			a->layout = xstrdup("[");
			a->layout_lines = a->layout_open = true;
			a->layout_place = at;
		}
	}
}

void
arguments_line(struct arguments *a, const char *text, size_t length, struct place at)
{
	struct part line = { text, text + length };

	if (layout_line(a, line) || listed_by_deepspeed(text, length))
		return;
	/* Skip most lines quickly. */
	if (memmem(text, length, "_size", 5) == NULL && memmem(text, length, "-size", 5) == NULL &&
	    memmem(text, length, " size", 5) == NULL && memmem(text, length, "num", 3) == NULL &&
	    memmem(text, length, "pipeline", 8) == NULL)
		return;
	for (int i = 0; i < ARGUMENTS; i++) {
		const char *p = find(line, names[i]);
		struct part v;
		bool list;
		int n, trust;

		if (p == NULL)
			continue;
		v = value(line, p + strlen(names[i]), &list);
		n = number(v);
		trust = list ? TRUST_LIST : TRUST_COMMAND;
		if ((n == 0 && !part_is(v, "None")) || trust < a->trust[i])
			continue;
		a->number[i] = n;
		a->trust[i] = trust;
		a->place[i] = at;
	}
	words(a, line, at);
}

int
arguments_stages(const struct arguments *a)
{
	if (a->number[ARGUMENT_PIPELINE] > STAGES_MAX)
		place_die(a->place[ARGUMENT_PIPELINE], "pipeline_model_parallel_size: more than %d '%d'", STAGES_MAX,
		    a->number[ARGUMENT_PIPELINE]);
	return a->number[ARGUMENT_PIPELINE];
}

static int
chunks_of_layout(const struct arguments *a)
{
	int layers = a->number[ARGUMENT_LAYERS], stages = arguments_stages(a);
	/* Only the line after a multi-line list shows that it has ended. */
	char *layout = xasprintf("%s%s", a->layout, !a->layout_lines ? "" : a->layout[1] != '\0' ? "]]" : "]");
	struct grid g, extra;

	layout_read(layout, stages > 0 ? stages : 1, &g, &extra, a->layout_place);
	free(layout);
	if (layers > 0 && grid_sum(g) != layers)
		place_die(a->layout_place, "layout: %d t for num_layers %d '%s'", grid_sum(g), layers, a->layout);
	free(g.at);
	free(extra.at);
	return g.chunks;
}

int
arguments_chunks(const struct arguments *a)
{
	int each = a->number[ARGUMENT_LAYERS_A_CHUNK], layers = a->number[ARGUMENT_LAYERS],
	    stages = arguments_stages(a);

	if (a->layout != NULL && stages > 0)
		return chunks_of_layout(a);
	if (a->number[ARGUMENT_CHUNKS] > 0)
		return a->number[ARGUMENT_CHUNKS];
	if (each == 0 || layers == 0 || stages == 0)
		return 1;
	if (layers % stages != 0 || layers / stages % each != 0)
		place_die(a->place[ARGUMENT_LAYERS_A_CHUNK],
		    "num_layers_per_virtual_pipeline_stage: %d layers on %d stages "
		    "cannot be dealt out by '%d'", layers, stages, each);
	return layers / stages / each;
}

static int
or_one(int n)
{
	return n > 0 ? n : 1;
}

int
arguments_ranks(const struct arguments *a)
{
	if (a->number[ARGUMENT_WORLD] > 0)
		return a->number[ARGUMENT_WORLD];
	return a->number[ARGUMENT_DATA] == 0 ? 0 : a->number[ARGUMENT_DATA] * or_one(a->number[ARGUMENT_TENSOR]) *
	    or_one(a->number[ARGUMENT_CONTEXT]) * or_one(a->number[ARGUMENT_PIPELINE]);
}

int
arguments_micro(const struct arguments *a)
{
	int model = or_one(a->number[ARGUMENT_TENSOR]) * or_one(a->number[ARGUMENT_CONTEXT]) *
	    or_one(a->number[ARGUMENT_PIPELINE]);
	int data = a->number[ARGUMENT_DATA], each, global = a->number[ARGUMENT_GLOBAL_BATCH];

	if (data == 0 && a->number[ARGUMENT_WORLD] > 0)
		data = a->number[ARGUMENT_WORLD] / model;
	if (data == 0 || a->number[ARGUMENT_MICRO_BATCH] == 0 || global == 0 || model > NUMBER_MAX / data)
		return 0;
	each = data * a->number[ARGUMENT_MICRO_BATCH];
	if (global % each != 0)
		place_die(a->place[ARGUMENT_GLOBAL_BATCH],
		    "global_batch_size: '%d' is no multiple of %d, %d data-parallel ranks "
		    "with micro-batches of %d", global, each, data, a->number[ARGUMENT_MICRO_BATCH]);
	return global / each;
}

void
arguments_free(struct arguments *a)
{
	free(a->layout);
	*a = (struct arguments){ 0 };
}
