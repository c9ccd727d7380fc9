#include "own_lists.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

/* Schedules by their names in pp_algorithm. chunks: number per stage in the framework's own runtime; 0: several. */
static const struct word {
	const char *name;
	enum schedule_kind kind;
	int chunks;
} words[] = {
	{ "1f1b", SCHEDULE_1F1B, 1 }, { "1f1b-interleaved", SCHEDULE_VPP, 0 }, { "zero-bubble", SCHEDULE_ZB_H1, 1 },
	{ "zbv-formatted", SCHEDULE_ZBV, 2 }, { "v-half", SCHEDULE_V_HALF, 2 }, { "v-min", SCHEDULE_V_MIN, 2 },
};
enum { WORDS_KNOWN = sizeof words / sizeof words[0], FIRST_OWN = 2, MOST = 1000000 };

const char *
own_schedule_word(enum schedule_kind kind)
{
	for (int i = FIRST_OWN; i < WORDS_KNOWN; i++)
		if (words[i].kind == kind)
			return words[i].name;
	return NULL;
}

static const struct word *
word_named(const char *name)
{
	for (int i = 0; i < WORDS_KNOWN; i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	return NULL;
}

/* Return the name of an option as the file has it. */
static const char *
spelled(const struct launch *l, enum launch_option o)
{
	return l->keys ? launch_key(o) : launch_name(o);
}

/* Exit if the run has the option. WHY: the reason in the message. */
static void
refuse(const struct launch *l, enum launch_option o, const char *why)
{
	if (l->value[o] != NULL)
		place_die(l->place[o], "%s: %s", spelled(l, o), why);
}

/* Return whether the zero-bubble runtime is used. In a YAML its settings have no effect without patch_zero_bubble. */
static bool
zero_bubble(const struct launch *l)
{
	return l->value[LAUNCH_ZERO_BUBBLE] != NULL || (!l->keys && (l->value[LAUNCH_ZB_ENABLE] != NULL ||
	    l->value[LAUNCH_ZB_V] != NULL));
}

bool
own_v(const struct launch *l)
{
	return zero_bubble(l) && l->value[LAUNCH_ZB_V] != NULL;
}

/*
 * Return the schedule that the zero-bubble runtime runs (zerobubble/runtime.py, get_zero_bubble_forward_backward_func).
 */
static enum schedule_kind
zero_bubble_schedule(const struct launch *l, int stages)
{
	static const struct word memory[] = {
		{ "zb", SCHEDULE_ZBV, 2 }, { "half", SCHEDULE_V_HALF, 2 }, { "min", SCHEDULE_V_MIN, 2 },
	};
	const char *setup = l->value[LAUNCH_ZB_V_MEMORY];
	enum launch_option first = l->value[LAUNCH_ZB_ENABLE] != NULL ? LAUNCH_ZB_ENABLE : LAUNCH_ZERO_BUBBLE;
	int pending;

	if (own_v(l)) {
		if (setup == NULL)	/* defaults of the parser, and of zero_bubble.yaml */
			setup = l->keys ? "half" : "zb";
		for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
			if (strcmp(memory[i].name, setup) == 0)
				return memory[i].kind;
		place_die(l->place[LAUNCH_ZB_V_MEMORY], "%s: not zb, half or min '%s'",
		    spelled(l, LAUNCH_ZB_V_MEMORY), setup);
	}
	if (l->value[LAUNCH_ZB_PENDING] == NULL || strcmp(l->value[LAUNCH_ZB_PENDING], "auto") == 0)
		place_die(l->place[first], "%s: the run chooses the order by its free memory; to fix it, set %s to %d "
		    "(zb-h1) or %d (zb-h2)", spelled(l, first), spelled(l, LAUNCH_ZB_PENDING), stages, 2 * stages);
	pending = launch_int(l, LAUNCH_ZB_PENDING, 1, MOST);
	if (pending != stages && pending != 2 * stages)
		place_die(l->place[LAUNCH_ZB_PENDING], "%s: only %d (zb-h1) and %d (zb-h2) are read, not '%d'",
		    spelled(l, LAUNCH_ZB_PENDING), stages, 2 * stages, pending);
	return pending == stages ? SCHEDULE_ZB_H1 : SCHEDULE_ZB_H2;
}

static void
check_chunks(const struct launch *l, const struct word *w, int chunks, enum launch_option o, struct place at)
{
	if (w->chunks > 0 ? chunks != w->chunks : chunks == 1)
		place_die(at, "%s: %s needs %s chunk%s per stage, not %d", spelled(l, o), w->name,
		    w->chunks == 1 ? "one" : w->chunks == 2 ? "two" : "several", w->chunks == 1 ? "" : "s", chunks);
}

enum schedule_kind
own_schedule(const struct launch *l, const struct shape *q)
{
	const char *name = l->value[LAUNCH_ALGORITHM] != NULL ? l->value[LAUNCH_ALGORITHM] : "1f1b-interleaved";
	struct place at = l->place[l->value[LAUNCH_ALGORITHM] != NULL ? LAUNCH_ALGORITHM : LAUNCH_OWN_RUNTIME];
	const struct word *w = word_named(name);

	refuse(l, LAUNCH_V_1F1B, "this order is not known here");
	if (zero_bubble(l) && q->stages > 1) {
		struct word v = { own_v(l) ? "zero_bubble_v_schedule" : "a zero-bubble schedule without V",
			zero_bubble_schedule(l, q->stages), own_v(l) ? 2 : 1 };

		refuse(l, LAUNCH_OWN_RUNTIME, "not with a zero-bubble runtime");
		check_chunks(l, &v, q->chunks, LAUNCH_ZERO_BUBBLE, l->place[LAUNCH_ZERO_BUBBLE]);
		return v.kind;
	}
	if (l->value[LAUNCH_OWN_RUNTIME] == NULL)
		return q->kind;
	refuse(l, LAUNCH_OFFLOAD_ORDER, "activations are offloaded in a way that is not supported");
	if (w == NULL)
		place_die(at,
		    "%s: not one of 1f1b, 1f1b-interleaved, zero-bubble, zbv-formatted, v-half and v-min '%s'",
		    spelled(l, LAUNCH_ALGORITHM), name);
	check_chunks(l, w, q->chunks, LAUNCH_ALGORITHM, at);
	return w->kind;
}

/* Return whether the data go forth and back. */
static bool
folded(enum schedule_kind kind)
{
	return schedule_chunks(kind) == 2;
}

struct grid
split_list_read(const struct launch *l, int stages, int layers)
{
	struct grid list = launch_numbers(l, LAUNCH_SPLIT_LIST, 1, layers), g;
	const struct word *w = l->value[LAUNCH_OWN_RUNTIME] != NULL && l->value[LAUNCH_ALGORITHM] != NULL ?
	    word_named(l->value[LAUNCH_ALGORITHM]) : NULL;
	bool folds = w != NULL && folded(w->kind);

	if (stages < 2)
		place_die(l->place[LAUNCH_SPLIT_LIST], "%s: only with several stages", launch_key(LAUNCH_SPLIT_LIST));
	if (list.stages % stages != 0 || grid_sum(list) != layers)
		place_die(l->place[LAUNCH_SPLIT_LIST], "%s: %d numbers with the sum %d, but %d stages and %d layers",
		    launch_key(LAUNCH_SPLIT_LIST), list.stages, grid_sum(list), stages, layers);
	g = grid_new(list.stages / stages, stages);
	for (int v = 0; v < g.chunks; v++)
		for (int s = 0; s < stages; s++)
			*grid_at(g, v, s) = list.at[folds ? v * stages + s : s * g.chunks + v];
	free(list.at);
	return g;
}

char *
split_list_text(struct grid g, enum schedule_kind kind)
{
	bool folds = folded(kind);
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < g.chunks * g.stages; i++)
		fprintf(f, "%s%d", i > 0 ? "," : "", folds ? g.at[i] : *grid_at(g, i % g.chunks, i / g.chunks));
	memstream_close(f);
	return text;
}

int *
layer_ids_read(const struct launch *l, int layers)
{
	struct place at = l->place[LAUNCH_LAYER_IDS];
	struct grid id = launch_numbers(l, LAUNCH_LAYER_IDS, 0, layers - 1);
	int *kind = xcalloc((size_t)layers, sizeof *kind);

	if (l->value[LAUNCH_GRANULARITY] == NULL || strcmp(l->value[LAUNCH_GRANULARITY], "full") != 0)
		place_die(at, "%s: only with recompute_granularity full", launch_key(LAUNCH_LAYER_IDS));
	if (l->value[LAUNCH_METHOD] != NULL)
		place_die(l->place[LAUNCH_METHOD], "%s: not with %s", launch_key(LAUNCH_METHOD),
		    launch_key(LAUNCH_LAYER_IDS));
	for (int i = 0; i < id.stages; i++)
		kind[id.at[i]] = RECOMPUTE_FULL;
	free(id.at);
	return kind;
}

char *
layer_ids_text(const int *kind, int layers)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	int n = 0;

	for (int i = 0; i < layers; i++)
		if (kind[i] == RECOMPUTE_FULL)
			fprintf(f, "%s%d", n++ > 0 ? "," : "", i);
	memstream_close(f);
	if (n > 0)
		return text;
	free(text);
	return NULL;
}

/* Read a list such as "[2, 6, 4, 2, 2]" at *TEXT, and advance *TEXT. */
static struct grid
word(const struct launch *l, enum launch_option o, const char **text)
{
	struct grid g = { 1, 0, NULL };
	const char *p = *text + strspn(*text, " '\"");
	bool bracket = *p == '[';

	for (p += bracket; *p != '\0' && *p != ']'; p += strspn(p, " ,")) {
		char *end;
		long n = strtol(p, &end, 10);

		if (end == p || n < -1 || n > MOST)
			place_die(l->place[o], "%s: not a list of whole numbers '%.20s'", launch_key(o), *text);
		*APPEND(g.at, g.stages) = (int)n;
		p = end;
	}
	if (bracket && *p != ']')
		place_die(l->place[o], "%s: a list that does not end", launch_key(o));
	*text = p + (*p == ']');
	*text += strspn(*text, " '\",");
	return g;
}

/*
 * Read lists of numbers by piece and micro-batch, for CHUNKS x STAGES pieces. Return the numbers of the first
 * micro-batch. All other micro-batches must have the same numbers.
 */
static struct grid
lists(const struct launch *l, enum launch_option o, int chunks, int stages, int *micro)
{
	struct grid all = grid_new(chunks, stages);
	struct place at = l->place[o];
	const char *text = l->value[o];
	int piece = 0, pieces = chunks * stages;

	while (*text != '\0') {
		struct grid w = word(l, o, &text);
		int sum = 0;

		if (w.stages < 3 || w.stages % 2 == 0 || w.at[0] < 1)
			place_die(at, "%s: expected the number of stages, then pairs of micro-batches and value",
			    launch_key(o));
		for (int i = 1; i < w.stages; i += 2) {
			sum += w.at[i];
			if (w.at[i] < 1 || sum > MOST)
				place_die(at, "%s: not a number of micro-batches '%d'", launch_key(o), w.at[i]);
			if (w.at[i + 1] != w.at[2])
				place_die(at, "%s: micro-batches of a stage recompute %d and %d layers, which a plan "
				    "cannot express: give all of them the same number (sapp-yaml(1))", launch_key(o),
				    w.at[2], w.at[i + 1]);
		}
		if (*micro == 0)
			*micro = sum;
		if (sum != *micro)
			place_die(at, "%s: %d micro-batches, not %d", launch_key(o), sum, *micro);
		for (int i = 0; i < w.at[0]; i++, piece++) {
			if (piece >= pieces)
				place_die(at, "%s: lists for more than %d pieces", launch_key(o), pieces);
			all.at[piece] = w.at[2];
		}
		free(w.at);
	}
	if (piece != pieces)
		place_die(at, "%s: lists for %d of %d pieces", launch_key(o), piece, pieces);
	return all;
}

/* Exit if the runtime would use a setting of one piece of a stage for its other pieces also. */
static void
check_stage(const struct launch *l, struct grid n, int stage)
{
	bool zero = false, more = false;

	for (int v = 0; v < n.chunks; v++) {
		zero |= *grid_at(n, v, stage) == 0;
		more |= *grid_at(n, v, stage) > 0;
	}
	if (zero && more)
		place_die(l->place[LAUNCH_STAGE_LAYERS], "%s: a 0 for one chunk of stage %d also ends recomputation in "
		    "its other chunks: write -1", launch_key(LAUNCH_STAGE_LAYERS), stage);
}

struct grid
piece_lists_read(const struct launch *l, struct grid layers, int *micro)
{
	int pieces = layers.chunks * layers.stages;
	struct grid n, granularity, method = { 0 };
	bool uniform = launch_is(l, LAUNCH_METHOD, "uniform");

	if (!launch_is(l, LAUNCH_GRANULARITY, "full") || l->value[LAUNCH_METHOD] == NULL)
		place_die(l->place[l->value[LAUNCH_STAGE_LAYERS] != NULL ? LAUNCH_STAGE_LAYERS : LAUNCH_STAGE_FULL],
		    "recomputation by stage and micro-batch: needs recompute_granularity full and a recompute_method");
	if (l->value[LAUNCH_STAGE_LAYERS] != NULL)
		n = lists(l, LAUNCH_STAGE_LAYERS, layers.chunks, layers.stages, micro);
	else
		n = grid_new(layers.chunks, layers.stages);
	for (int i = 0; i < pieces && l->value[LAUNCH_STAGE_LAYERS] == NULL; i++)
		n.at[i] = launch_int(l, LAUNCH_RECOMPUTE, 1, MOST);
	for (int s = 0; s < layers.stages; s++)
		check_stage(l, n, s);
	if (l->value[LAUNCH_STAGE_METHOD] != NULL)
		method = lists(l, LAUNCH_STAGE_METHOD, layers.chunks, layers.stages, micro);
	for (int i = 0; i < pieces; i++) {
		if (method.at != NULL && method.at[i] != 0 && (method.at[i] != 1 || layers.chunks > 1))
			place_die(l->place[LAUNCH_STAGE_METHOD], "%s: expected 0, or 1 if stages have one chunk '%d'",
			    launch_key(LAUNCH_STAGE_METHOD), method.at[i]);
		/* All layers of the piece are recomputed, in units of any size. */
		if ((method.at != NULL ? method.at[i] == 0 : uniform) && n.at[i] > 0)
			n.at[i] = layers.at[i];
	}
	free(method.at);
	if (l->value[LAUNCH_STAGE_FULL] != NULL) {
		/* In this list a stage has one number, which holds for all its chunks. */
		granularity = lists(l, LAUNCH_STAGE_FULL, 1, layers.stages, micro);
		for (int i = 0; i < pieces; i++)
			if (granularity.at[i % layers.stages] == 0)
				n.at[i] = 0;
		free(granularity.at);
	}
	for (int i = 0; i < pieces; i++)
		n.at[i] = n.at[i] < 0 ? 0 : n.at[i] > layers.at[i] ? layers.at[i] : n.at[i];
	return n;
}

/*
 * Return the number to write for a piece. Without recomputation it is 0. If another chunk of the stage recomputes, it
 * is -1 instead, which matches no layer.
 */
static int
written(struct grid g, int piece)
{
	for (int v = 0; v < g.chunks && g.at[piece] == 0; v++)
		if (*grid_at(g, v, piece % g.stages) > 0)
			return -1;
	return g.at[piece];
}

char *
piece_lists_text(struct grid g, int micro)
{
	int pieces = g.chunks * g.stages, run;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < pieces; i += run) {
		for (run = 1; i + run < pieces && written(g, i + run) == written(g, i);)
			run++;
		fprintf(f, "%s[%d,%d,%d]", i > 0 ? " " : "", run, micro, written(g, i));
	}
	memstream_close(f);
	return text;
}
