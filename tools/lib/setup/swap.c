#include "swap.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "patterns.h"

/* The properties of a layer that put it into a list. */
struct member {
	const struct pattern_sets *sets;
	uint64_t patterns, moves;	/* its kind has any of these bits */
	bool full;
	int prefetch;			/* number of layers in advance at which fetching starts; 0: any */
};

static bool
belongs(const struct member *m, int kind)
{
	if (m->full)
		return kind == RECOMPUTE_FULL;
	/* A fully recomputed layer is in no other list. */
	return kind != RECOMPUTE_FULL && ((m->sets->of[kind] & m->patterns) | (m->sets->moves[kind] & m->moves)) != 0 &&
	    (m->prefetch == 0 || m->sets->prefetch[kind] == m->prefetch);
}

/* Write the members of a list as "[0, 3]", after the text BEFORE. If it has none, write nothing and return false. */
static bool
put_layers(FILE *f, const char *before, const struct member *m, const int *kind, int n)
{
	bool any = false;

	for (int i = 0; i < n; i++)
		if (belongs(m, kind[i])) {
			fprintf(f, "%s%d", any ? ", " : before, i);
			any = true;
		}
	fputs(any ? "]" : "", f);
	return any;
}

static char *
quoted(const char *text)
{
	char *to = xcalloc(2 * strlen(text) + 3, 1), *at = to;

	*at++ = '\'';
	for (; *text != '\0'; text++) {
		*at++ = *text;
		if (*text == '\'')
			*at++ = '\'';
	}
	*at = '\'';
	return to;
}

/* Write a map from patterns to layers in one line, or False if it is empty. */
static void
put_patterns(FILE *f, const struct pattern_sets *s, bool comm, const int *kind, int n)
{
	const char *divider = "{";
	bool any = false;

	for (int p = 0; p < s->n; p++) {
		struct member m = { .sets = s, .patterns = (uint64_t)1 << p };
		char *name = quoted(s->pattern[p]), *before = xasprintf("%s%s: [", divider, name);

		if (s->comm[p] == comm && put_layers(f, before, &m, kind, n)) {
			divider = ", ";
			any = true;
		}
		free(name);
		free(before);
	}
	fputs(any ? "}" : "False", f);
}

/*
 * Write the entries of layer_swap (OP < 0), or of op_swap for operator OP. LINES: one entry per line, otherwise all in
 * one line. ANY: entries precede. Return whether any entry is written or precedes.
 */
static bool
put_swaps(FILE *f, const struct pattern_sets *s, int op, const int *kind, int n, bool any, bool lines)
{
	struct member m = { .sets = s, .moves = (uint64_t)1 << (op < 0 ? SWAP_LAYER : op) };
	char *name = op < 0 ? NULL : quoted(s->op[op]);

	/* Each entry is for one value of backward_prefetch. */
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		char *before;
		bool said = false;

		m.prefetch = s->prefetch[k];
		for (int j = 0; j < k; j++)
			said |= s->prefetch[j] == m.prefetch;
		if (said || m.prefetch == 0)
			continue;
		before = xasprintf("%s{%s%s%sbackward_prefetch: %d, layers: [", lines ? "\n    - " : any ? ", " : "",
		    op < 0 ? "" : "op_name: ", op < 0 ? "" : name, op < 0 ? "" : ", ", m.prefetch);
		if (put_layers(f, before, &m, kind, n)) {
			putc('}', f);
			any = true;
		}
		free(before);
	}
	free(name);
	return any;
}

/* Return all that the layers offload, as bits. Exit if a kind cannot be expressed. */
static uint64_t
moved_by(const struct pattern_sets *s, const int *kind, int n, struct place at)
{
	uint64_t moved = 0;

	for (int i = 0; i < n; i++) {
		if (kind[i] != RECOMPUTE_FULL && ((s->of[kind[i]] >> PATTERN_SELECT & 3) || !(s->said >> kind[i] & 1)))
			place_die(at, "no kind record with the layers or operators that '%s' offloads",
			    recompute_names[kind[i]]);
		moved |= kind[i] == RECOMPUTE_FULL ? 0 : s->moves[kind[i]];
	}
	return moved;
}

static bool
put_key(FILE *f, const struct pattern_sets *s, enum training_key key, const int *kind, int n, uint64_t moved,
    bool lines)
{
	uint64_t operators = moved & (((uint64_t)1 << SWAP_LAYER) - 1);
	bool any = false;

	if (key == TRAINING_RECOMPUTE && !put_layers(f, "[", &(struct member){ .sets = s, .full = true }, kind, n))
		fputs("False", f);
	if (key == TRAINING_SELECT || key == TRAINING_SELECT_COMM)
		put_patterns(f, s, key == TRAINING_SELECT_COMM, kind, n);
	if (key == TRAINING_SWAP)
		fputs("True", f);
	if (key != TRAINING_LAYER_SWAP && key != TRAINING_OP_SWAP)
		return key == TRAINING_SWAP || (key >= TRAINING_RECOMPUTE && key < TRAINING_LISTS);
	if (key == TRAINING_LAYER_SWAP ? !(moved >> SWAP_LAYER & 1) : operators == 0)
		return false;
	fputs(lines ? "" : "[", f);
	for (int p = 0; p < s->nops && key == TRAINING_OP_SWAP; p++)
		any = put_swaps(f, s, p, kind, n, any, lines);
	if (key == TRAINING_LAYER_SWAP)
		put_swaps(f, s, -1, kind, n, any, lines);
	fputs(lines ? "" : "]", f);
	return true;
}

char *
swap_text(const struct pattern_sets *s, enum training_key key, const int *kind, int n, struct place at)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	bool any = put_key(f, s, key, kind, n, moved_by(s, kind, n, at), false);

	memstream_close(f);
	if (any)
		return text;
	free(text);
	return NULL;
}

void
swap_write(FILE *f, const struct pattern_sets *s, const int *kind, int n, struct place at)
{
	uint64_t moved = moved_by(s, kind, n, at);
	const char *map = NULL;

	for (int k = TRAINING_RECOMPUTE; k < TRAINING_KEYS; k++) {
		char *text = NULL;
		size_t size;
		FILE *value = memstream_open(&text, &size);
		bool any = put_key(value, s, (enum training_key)k, kind, n, moved, true);

		memstream_close(value);
		if (any && (map == NULL || strcmp(map, training_paths[k].map[0]) != 0))
			fprintf(f, "%s:\n", map = training_paths[k].map[0]);
		if (any)
			fprintf(f, "  %s:%s%s\n", training_paths[k].key, *text == '\n' ? "" : " ", text);
		free(text);
	}
}

/* The settings of each layer of a file. */
struct layers {
	int n;
	uint64_t *patterns, *moves;
	bool *full;
};

/*
 * Set BIT for the layers whose indices are in a list, or for all layers if VALUE is true. BITS NULL: mark them as fully
 * recomputed instead.
 */
static void
take_layers(struct layers *l, const struct yaml *value, const char *key, uint64_t *bits, int bit)
{
	bool all = value->type == YAML_SCALAR && yaml_bool(value, key);

	if (value->type == YAML_MAP)
		place_die(value->place, "%s: expected true, false or a list of layers", key);
	for (int i = 0; i < (value->type == YAML_LIST ? value->n : all ? l->n : 0); i++) {
		int layer = all ? i : yaml_int(value->item[i], key, 0, l->n - 1);

		if (bits != NULL)
			bits[layer] |= (uint64_t)1 << bit;
		else
			l->full[layer] = true;
	}
}

static void
take_patterns(struct layers *l, const struct pattern_sets *s, const struct yaml *value, enum training_key key)
{
	bool list = value != NULL && value->type == YAML_LIST && training_of_patterns(value);
	const char *name = training_paths[key].key;

	if (value == NULL || (value->type == YAML_SCALAR && !yaml_bool(value, name)))
		return;
	if (!list && value->type != YAML_MAP)
		place_die(value->place, "%s: expected patterns with lists of layers", name);
	pattern_lists_check(s, value, key);
	for (int i = 0; i < value->n; i++) {
		const char *pattern = list ? value->item[i]->text : value->key[i];
		int p = 0;

		while (strcmp(s->pattern[p], pattern) != 0 || s->comm[p] != (key == TRAINING_SELECT_COMM))
			p++;
		if (list)
			for (int j = 0; j < l->n; j++)
				l->patterns[j] |= (uint64_t)1 << p;
		else
			take_layers(l, value->item[i], name, l->patterns, p);
	}
}

static void
take_swap(struct layers *l, const struct pattern_sets *s, const struct yaml *entry, bool op)
{
	static const char *const layer_keys[] = { "backward_prefetch", "layers", NULL };
	static const char *const op_keys[] = { "op_name", "backward_prefetch", "layers", NULL };
	const struct yaml *layers, *name = NULL;
	int p = SWAP_LAYER;

	if (entry->type != YAML_MAP)
		place_die(entry->place, "swap_config: expected maps with backward_prefetch and layers");
	yaml_known(entry, op ? op_keys : layer_keys);
	layers = yaml_get(entry, "layers");
	if (layers == NULL)
		place_die(entry->place, "swap_config: an entry without layers");
	if (op) {
		name = yaml_get(entry, "op_name");
		if (name == NULL)
			place_die(entry->place, "swap_config: op_swap: an entry without op_name");
		for (p = 0; p < s->nops && strcmp(s->op[p], yaml_string(name, "op_name")) != 0; p++)
			;
		if (p == s->nops)
			place_die(name->place, "op_swap: no kind record has the operator '%s'", name->text);
	}
	take_layers(l, layers, "layers", l->moves, p);
}

static void
take_swaps(struct layers *l, const struct pattern_sets *s, const struct yaml *config, const char *key)
{
	const struct yaml *list = yaml_get(config, key);

	if (list == NULL || yaml_is_null(list))
		return;
	if (list->type != YAML_LIST)
		place_die(list->place, "%s: expected a list", key);
	for (int i = 0; i < list->n; i++)
		take_swap(l, s, list->item[i], strcmp(key, "op_swap") == 0);
}

int *
swap_read(const struct pattern_sets *s, const struct training *t, int n)
{
	const struct yaml *config = yaml_get(t->root, "swap_config"), *whole = training_value(t, TRAINING_RECOMPUTE);
	struct layers l = { n, xcalloc((size_t)n, sizeof *l.patterns), xcalloc((size_t)n, sizeof *l.moves),
	    xcalloc((size_t)n, sizeof *l.full) };
	int *kind = xcalloc((size_t)n, sizeof *kind);

	if (whole != NULL)
		take_layers(&l, whole, "recompute", NULL, 0);
	take_patterns(&l, s, training_value(t, TRAINING_SELECT), TRAINING_SELECT);
	take_patterns(&l, s, training_value(t, TRAINING_SELECT_COMM), TRAINING_SELECT_COMM);
	take_swaps(&l, s, config, "layer_swap");
	take_swaps(&l, s, config, "op_swap");
	if (training_value(t, TRAINING_LAYER_SWAP) == NULL && training_value(t, TRAINING_OP_SWAP) == NULL)
		place_die(config->place, "swap_config: needs layer_swap or op_swap");
	for (int i = 0; i < n; i++) {
		for (kind[i] = 0; kind[i] < RECOMPUTE_KINDS; kind[i]++)
			if (l.full[i] ? kind[i] == RECOMPUTE_FULL :
			    kind[i] != RECOMPUTE_FULL && (s->said >> kind[i] & 1) &&
			    s->of[kind[i]] == l.patterns[i] && s->moves[kind[i]] == l.moves[i])
				break;
		if (kind[i] == RECOMPUTE_KINDS)
			place_die(t->place, "no kind record with the recomputation and offloading of layer %d",
			    i);
	}
	free(l.patterns);
	free(l.moves);
	free(l.full);
	return kind;
}
