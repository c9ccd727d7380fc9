#include "primus.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

/* Chunks per stage of its runtime; 0: several. */
static const struct word {
	const char *name;
	enum schedule_kind kind;
	int chunks;
} words[] = {
	{ "1f1b", SCHEDULE_1F1B, 1 }, { "1f1b-interleaved", SCHEDULE_VPP, 0 }, { "zero-bubble", SCHEDULE_ZB_H1, 1 },
	{ "zbv-formatted", SCHEDULE_ZBV, 2 }, { "v-half", SCHEDULE_V_HALF, 2 }, { "v-min", SCHEDULE_V_MIN, 2 },
};
enum { WORDS_KNOWN = sizeof words / sizeof words[0], FIRST_OWN = 2 };

const char *
primus_word(enum schedule_kind kind)
{
	for (int i = FIRST_OWN; i < WORDS_KNOWN; i++)
		if (words[i].kind == kind)
			return words[i].name;
	return NULL;
}

/* Exit on settings that planned schedules cannot express. */
static void
refuse(const struct launch *l, enum launch_option o, const char *why)
{
	if (l->value[o] != NULL)
		place_die(l->place[o], "%s: %s", launch_key(o), why);
}

enum schedule_kind
primus_schedule(const struct launch *l, int chunks, enum schedule_kind otherwise)
{
	const char *name = l->value[LAUNCH_ALGORITHM] != NULL ? l->value[LAUNCH_ALGORITHM] : "1f1b-interleaved";
	struct place at = l->place[l->value[LAUNCH_ALGORITHM] != NULL ? LAUNCH_ALGORITHM : LAUNCH_OWN_RUNTIME];
	const struct word *w = words;

	refuse(l, LAUNCH_ZERO_BUBBLE, "orders of this runtime are not known here");
	if (l->value[LAUNCH_OWN_RUNTIME] == NULL)
		return otherwise;
	refuse(l, LAUNCH_OFFLOAD_ORDER, "activations are offloaded, which this cannot take into account");
	while (w < words + WORDS_KNOWN && strcmp(w->name, name) != 0)
		w++;
	if (w == words + WORDS_KNOWN)
		place_die(at,
		    "%s: not one of 1f1b, 1f1b-interleaved, zero-bubble, zbv-formatted, v-half and v-min '%s'",
		    launch_key(LAUNCH_ALGORITHM), name);
	if (w->chunks > 0 ? chunks != w->chunks : chunks == 1)
		place_die(at, "%s: %s takes %s chunk%s a stage, not %d", launch_key(LAUNCH_ALGORITHM), name,
		    w->chunks == 1 ? "one" : w->chunks == 2 ? "two" : "several", w->chunks == 1 ? "" : "s", chunks);
	return w->kind;
}

static bool
folded(enum schedule_kind kind)
{
	return schedule_chunks(kind) == 2;
}

/* Return the kind by name alone, before the chunks are known. */
static enum schedule_kind
named(const struct launch *l)
{
	for (int i = 0; l->value[LAUNCH_OWN_RUNTIME] != NULL && l->value[LAUNCH_ALGORITHM] != NULL && i < WORDS_KNOWN;
	    i++)
		if (strcmp(words[i].name, l->value[LAUNCH_ALGORITHM]) == 0)
			return words[i].kind;
	return SCHEDULE_1F1B;
}

struct grid
primus_split(const struct launch *l, int stages, int layers)
{
	struct grid list = launch_numbers(l, LAUNCH_SPLIT_LIST, 1, layers), g;
	bool folds = folded(named(l));

	if (stages < 2)
		place_die(l->place[LAUNCH_SPLIT_LIST], "%s: only with several stages", launch_key(LAUNCH_SPLIT_LIST));
	if (list.stages % stages != 0 || grid_sum(list) != layers)
		place_die(l->place[LAUNCH_SPLIT_LIST], "%s: %d numbers that sum to %d for %d stages and %d layers",
		    launch_key(LAUNCH_SPLIT_LIST), list.stages, grid_sum(list), stages, layers);
	g = grid_new(list.stages / stages, stages);
	for (int v = 0; v < g.chunks; v++)
		for (int s = 0; s < stages; s++)
			*grid_at(g, v, s) = list.at[folds ? v * stages + s : s * g.chunks + v];
	free(list.at);
	return g;
}

char *
primus_split_text(struct grid g, enum schedule_kind kind)
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
primus_layers(const struct launch *l, int layers)
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
primus_layers_text(const int *kind, int layers)
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
