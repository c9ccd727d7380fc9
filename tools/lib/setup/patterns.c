#include "patterns.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"

static bool
has(const struct pattern_sets *s, int kind, int pattern)
{
	return s->of[kind] >> pattern & 1;
}

bool
pattern_lists_needed(const struct grid kind[RECOMPUTE_KINDS])
{
	for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++)
		if (kind[k].at != NULL && grid_sum(kind[k]) > 0)
			return true;
	return false;
}

struct pattern_lists
pattern_lists_new(const struct pattern_sets *s, const struct grid kind[RECOMPUTE_KINDS])
{
	struct pattern_lists l = { .sets = s };
	struct grid shape = kind[RECOMPUTE_NONE];

	for (int p = 0; p < PATTERN_BITS; p++) {
		bool only_full = true;

		l.at[p] = grid_new(shape.chunks, shape.stages);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; has(s, k, p) && i < shape.chunks * shape.stages; i++) {
				l.at[p].at[i] += kind[k].at[i];
				only_full &= k == RECOMPUTE_FULL || kind[k].at[i] == 0;
			}
		/* Fully recomputed layers need no entry in these lists. */
		for (int i = 0; only_full && i < shape.chunks * shape.stages; i++)
			l.at[p].at[i] = 0;
	}
	return l;
}

/* Return whether the list for KEY has entries for pattern P. */
static bool
concerns(const struct pattern_sets *s, int p, enum training_key key)
{
	if (p >= PATTERNS_MAX)
		return p == (key == TRAINING_SELECT ? PATTERN_SELECT : PATTERN_COMM);
	return p < s->n && s->comm[p] == (key == TRAINING_SELECT_COMM);
}

static int
find_pattern(const struct pattern_sets *s, const char *pattern, struct place at, enum training_key key)
{
	int p = 0;

	while (p < s->n && (!concerns(s, p, key) || strcmp(s->pattern[p], pattern) != 0))
		p++;
	if (p == s->n)
		place_die(at, "%s: no kind record has the pattern '%s'", training_paths[key].key, pattern);
	return p;
}

void
pattern_lists_check(const struct pattern_sets *s, const struct yaml *value, enum training_key key)
{
	bool list = value != NULL && value->type == YAML_LIST && training_of_patterns(value);

	for (int i = 0; value != NULL && (list || value->type == YAML_MAP) && i < value->n; i++)
		find_pattern(s, list ? value->item[i]->text : value->key[i], value->item[i]->place, key);
}

static void
read_pattern(struct pattern_lists *l, const char *pattern, struct place at, enum training_key key, struct grid counts)
{
	int p = find_pattern(l->sets, pattern, at, key);

	free(l->at[p].at);
	l->at[p] = grid_copy(counts);
}

/* Read a list without patterns. It means the built-in kind that it is named after. */
static void
read_plain(struct pattern_lists *l, enum training_key key, struct grid counts)
{
	int kind = key == TRAINING_SELECT ? RECOMPUTE_SELECT : RECOMPUTE_COMM;

	for (int p = 0; p < PATTERN_BITS; p++)
		if (has(l->sets, kind, p)) {
			free(l->at[p].at);
			l->at[p] = grid_copy(counts);
		}
}

struct pattern_lists
pattern_lists_read(const struct pattern_sets *s, const struct training *t, struct grid layers)
{
	struct pattern_lists l = { .sets = s };

	for (int p = 0; p < PATTERN_BITS; p++)
		l.at[p] = grid_new(layers.chunks, layers.stages);
	for (int k = TRAINING_SELECT; k <= TRAINING_SELECT_COMM; k++) {
		enum training_key key = (enum training_key)k;
		const struct yaml *value = training_value(t, key);
		bool list = value != NULL && value->type == YAML_LIST && training_of_patterns(value);

		if (value == NULL)
			continue;
		for (int i = 0; i < value->n && (list || value->type == YAML_MAP); i++) {
			struct grid counts = list ? grid_copy(layers) : training_counts(value->item[i],
			    training_paths[key].key, layers.chunks, layers.stages, layers);

			read_pattern(&l, list ? value->item[i]->text : value->key[i], value->item[i]->place, key,
			    counts);
			free(counts.at);
		}
		if (!list && value->type != YAML_MAP) {
			struct grid counts = training_counts(value, training_paths[key].key, layers.chunks,
			    layers.stages, layers);

			read_plain(&l, key, counts);
			free(counts.at);
		}
	}
	return l;
}

/* Return the set of patterns that LAYER of PIECE recomputes. */
static uint64_t
patterns_of(const struct pattern_lists *l, int piece, int layer)
{
	uint64_t set = 0;

	for (int p = 0; p < PATTERN_BITS; p++)
		if (layer < l->at[p].at[piece])
			set |= (uint64_t)1 << p;
	return set;
}

void
pattern_lists_kinds(const struct pattern_lists *l, struct grid recompute, struct grid layers,
    struct grid kind[RECOMPUTE_KINDS], struct place at)
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		kind[k] = grid_new(layers.chunks, layers.stages);
	for (int i = 0; i < layers.chunks * layers.stages; i++)
		for (int j = 0; j < layers.at[i]; j++) {
			uint64_t set = patterns_of(l, i, j);
			int k = RECOMPUTE_FULL;

			for (k = 0; j >= recompute.at[i] && k < RECOMPUTE_KINDS; k++)
				if (k != RECOMPUTE_FULL && (l->sets->said >> k & 1) && l->sets->of[k] == set &&
				    l->sets->moves[k] == 0)
					break;
			if (j < recompute.at[i])
				k = RECOMPUTE_FULL;
			if (k == RECOMPUTE_KINDS)
				place_die(at, "no kind record has the patterns that recompute layer %d of chunk %d of "
				    "stage %d", j, i / layers.stages, i % layers.stages);
			kind[k].at[i]++;
		}
}

bool
pattern_lists_equal(const struct pattern_lists *a, const struct pattern_lists *b)
{
	for (int p = 0; p < PATTERN_BITS; p++) {
		struct grid x = a->at[p], y = b->at[p];

		if (x.chunks != y.chunks || x.stages != y.stages ||
		    memcmp(x.at, y.at, (size_t)(x.chunks * x.stages) * sizeof *x.at) != 0)
			return false;
	}
	return true;
}

static void
put_grid(FILE *f, struct grid g)
{
	char *text = settings_text(g);

	fputs(text, f);
	free(text);
}

char *
pattern_lists_text(const struct pattern_lists *l, bool comm, struct place at)
{
	struct grid plain = l->at[comm ? PATTERN_COMM : PATTERN_SELECT];
	int n = 0;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int p = 0; p < l->sets->n; p++)
		if (l->sets->comm[p] == comm && grid_sum(l->at[p]) > 0) {
			fputs(n++ > 0 ? ", " : "{", f);
			operator_put_quoted(f, l->sets->pattern[p]);
			fputs(": ", f);
			put_grid(f, l->at[p]);
		}
	if (grid_sum(plain) > 0 && n > 0)
		place_die(at, "no kind record with the patterns of '%s', in addition to those of other kinds",
		    recompute_names[comm ? RECOMPUTE_COMM : RECOMPUTE_SELECT]);
	if (grid_sum(plain) > 0)
		put_grid(f, plain);
	else
		fputs(n > 0 ? "}" : "False", f);
	memstream_close(f);
	return text;
}

void
pattern_lists_free(struct pattern_lists *l)
{
	for (int p = 0; p < PATTERN_BITS; p++)
		free(l->at[p].at);
	*l = (struct pattern_lists){ 0 };
}
