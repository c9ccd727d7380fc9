/* Read the pipeline options among the arguments of a run. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/script/processes.h"
#include "lib/script/spelled.h"
#include "lib/script/started.h"
#include "option_table.h"

struct taken {
	struct launch *launch;
	const struct started *from;
	/* values that earlier names of other options imply, if nothing else sets these options */
	const char *implied[LAUNCH_OPTIONS];
	struct place implied_place[LAUNCH_OPTIONS];
	bool own[LAUNCH_OPTIONS];	/* set by the file itself and not by its presets */
};

static void
put(struct launch *l, enum launch_option o, char *value, struct place at)
{
	launch_set(l, o, value);
	l->place[o] = at;
}

/*
 * Read an option by another name, such as "--checkpoint-activations", if it is one. CURRENT: the word is its current
 * name; read only implied options.
 */
static void
earlier(struct taken *t, const char *word, const char *value, bool current, struct place at)
{
	for (const struct spelled *x = spelled_before; x->was != NULL; x++) {
		enum launch_option o = launch_of_spelled(x);

		if (!spelled_alike(word, x->was) || o == LAUNCH_OPTIONS || (current && !x->implied))
			continue;
		if (x->means == NULL && value == NULL)
			place_die(at, "%s: no value", word);
		if (x->implied) {
			t->implied[o] = x->means;
			t->implied_place[o] = at;
		} else {
			put(t->launch, o, xstrdup(x->means != NULL ? x->means : value), at);
		}
	}
}

/* Exit if a key that several maps of a file have has different values. */
static void
check_alike(const struct taken *t, enum launch_option o, const char *word, const char *value, struct place at)
{
	const char *was = t->launch->value[o];

	if (t->from->keys && t->own[o] && was != NULL && value != NULL && strcmp(was, value) != 0)
		place_die(at, "%s: a different value on line %ld '%s'", word, t->launch->place[o].line, was);
}

/*
 * Read DeepSpeed's partition method. It divides the layers whose class matches a pattern (PipelineModule,
 * _partition_layers). If the pattern includes embedding and head, it equals Megatron-LM's account_for_*.
 */
static void
partition(struct taken *t, const char *word, const char *value, struct place at)
{
	if (strcasecmp(value, "type:transformer|embedding") == 0) {
		put(t->launch, LAUNCH_EMBEDDING_COUNTS, xstrdup(""), at);
		put(t->launch, LAUNCH_LOSS_COUNTS, xstrdup(""), at);
	} else if (strcasecmp(value, "uniform") != 0 && strcasecmp(value, "type:transformer") != 0) {
		place_die(at, "%s: not uniform, type:transformer or type:transformer|embedding '%s'", word, value);
	}
}

/* Set an option. OWN: the value does not come from presets. Takes ownership of VALUE. */
static void
take(struct taken *t, const char *word, char *value, bool own, struct place at)
{
	enum launch_option o = launch_named(word);
	const struct unknown_argument *x = started_unknown(t->from, word);
	bool needed = o < LAUNCH_SETTINGS && o != LAUNCH_SEQ_LENGTH;

	if (o == LAUNCH_OPTIONS) {
		if (spelled_alike(word, "pp_partition_method") && value != NULL)
			partition(t, word, value, at);
		earlier(t, word, value, false, at);
		free(value);
		return;
	}
	earlier(t, word, value, true, at);
	if (x != NULL) {
		if (needed)
			place_die(at, "%s", started_why(t->from, x));
		free(value);
		return;
	}
	if (launch_rows[o].takes == NO_WORD) {
		bool on = value == NULL || (strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0);

		put(t->launch, o, on ? xstrdup("") : NULL, at);
		free(value);
		return;
	}
	if (value == NULL && needed)
		place_die(at, "%s: no value", launch_rows[o].flag);
	check_alike(t, o, word, value, at);
	t->own[o] |= own;
	if (value != NULL)
		put(t->launch, o, value, at);
}

/* Read an override such as "model.num_layers=4". Its prefix is ignored. */
static void
dotted(struct taken *t, const char *word, struct place at)
{
	const char *said;
	size_t n;
	const char *name = started_override(word, &n, &said);
	char *key, *value;

	if (name == NULL)
		return;
	key = xstrndup(name, n);
	value = *said == '[' && said[strlen(said) - 1] == ']' ? xstrndup(said + 1, strlen(said) - 2) : xstrdup(said);
	take(t, key, value, true, at);
	free(key);
}

static void
take_implied(struct taken *t)
{
	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		if (t->implied[o] != NULL && t->launch->value[o] == NULL)
			put(t->launch, (enum launch_option)o, xstrdup(t->implied[o]), t->implied_place[o]);
}

void
launch_of_started(struct launch *l, const struct started *s)
{
	const struct texts *a = &s->program.arguments;
	const char *nodes = processes_nodes(s), *each = processes_each(s), *all = processes_all(s);
	struct taken t = { .launch = l, .from = s };

	*l = (struct launch){ .source = xstrdup(s->place.source), .keys = s->keys };
	for (int i = 0; i < a->n;) {
		struct place at = { l->source, s->line[i] };
		bool own = i >= s->defaults;
		char *name;

		if (!started_is_option(a->at[i])) {
			dotted(&t, a->at[i++], at);
			continue;
		}
		name = xstrndup(a->at[i], strcspn(a->at[i], "="));
		take(&t, name, started_value(s, &i), own, at);
		free(name);
	}
	take_implied(&t);
	for (int i = 0; i < 2; i++) {
		const struct unknown_argument *x = started_unknown(s, i == 0 ? "nnodes" : "nproc_per_node");

		if (x != NULL)
			place_warn((struct place){ l->source, s->place.line }, "%s", started_why(s, x));
	}
	if (nodes != NULL)
		put(l, LAUNCH_NODES, xstrdup(nodes), (struct place){ l->source, s->place.line });
	if (each != NULL)
		put(l, LAUNCH_NODE_DEVICES, xstrdup(each), (struct place){ l->source, s->place.line });
	if (all != NULL)
		put(l, LAUNCH_WORLD, xstrdup(all), (struct place){ l->source, s->place.line });
}
