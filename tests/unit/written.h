/* Read settings with readers that share no code with the tools. */
#ifndef TEST_WRITTEN_H
#define TEST_WRITTEN_H

#include <strings.h>

#include "lib/schedule/schedule.h"
#include "lib/record/recompute.h"

enum { PIECES = 64, LAYERS = 400 };

struct read {			/* contents of the settings */
	struct shape shape;
	int pieces;
	int stage[PIECES];	/* stage of each piece, in the order of the data */
	int layers[PIECES];
	enum recompute kind[LAYERS];	/* for each layer of the model */
};

/* Return the text after KEY if it occurs as a separate word, or NULL. */
static inline const char *
behind(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at != NULL ? at + strlen(key) : NULL;
}

static inline int
number_behind(const char *text, const char *key, int missing)
{
	const char *at = behind(text, key);

	return at != NULL ? atoi(at + strspn(at, " \"")) : missing;
}

static inline bool
says(const char *text, const char *key, const char *word)
{
	const char *at = behind(text, key);

	return at != NULL && strncmp(at + strspn(at, " \""), word, strlen(word)) == 0;
}

/* Read the numbers on the line after KEY. */
static inline int
numbers(const char *text, const char *key, int *to, int most)
{
	const char *at = behind(text, key), *end = at != NULL ? at + strcspn(at, "\n") : NULL;
	int n = 0;

	while (at != NULL && at < end && n < most) {
		char *next;
		long x = strtol(at, &next, 10);

		if (next != at)
			to[n++] = (int)x;
		at = next != at ? next : at + 1;
	}
	return n;
}

/*
 * Named kinds of a layer for which these patterns are recomputed (a, b, c), operators or layers offloaded; the same
 * numbers as in NAMED.
 */
enum { ACT = RECOMPUTE_BUILT_IN, WIDE, OUT, AWAY };
enum { SAYS_A = 1, SAYS_B = 2, SAYS_C = 4, SAYS_OP = 8, SAYS_LAYER = 16, SAYS_FULL = 32 };

static inline enum recompute
kind_of_words(int set)
{
	return set & SAYS_FULL ? RECOMPUTE_FULL : set == SAYS_A ? (enum recompute)ACT :
	    set == (SAYS_A | SAYS_B | SAYS_C) ? (enum recompute)WIDE : set == SAYS_OP ? (enum recompute)OUT :
	    set == (SAYS_A | SAYS_LAYER) ? (enum recompute)AWAY : set == 0 ? RECOMPUTE_NONE : RECOMPUTE_KINDS;
}

/* Read the numbers between the next bracket after AT and its closing bracket. */
static inline int
bracketed(const char *at, int *to, int most)
{
	int depth = 0, n = 0;

	at += strcspn(at, "[\n");
	do {
		char *next;
		long x;

		depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
		at++;
		x = strtol(at, &next, 10);
		if (*at != ' ' && next != at && n < most) {
			to[n++] = (int)x;
			at = next;
		}
	} while (depth > 0 && *at != '\n' && *at != '\0');
	return n;
}

/* The keys of recomputation in a MindFormers YAML, with their words. */
static const struct { const char *key, *word; int says; } yaml_words[] = {
	{ "\n  recompute: [", "", SAYS_FULL }, { "\n  select_recompute:", "'a': ", SAYS_A },
	{ "\n  select_recompute:", "'b': ", SAYS_B }, { "\n  select_comm_recompute:", "'c': ", SAYS_C },
	{ "\n  layer_swap:", "layers: ", SAYS_LAYER }, { "\n  op_swap:", "layers: ", SAYS_OP },
};

/* Read lists for patterns, or lists of layers if SWAP. */
static inline void
read_patterns(struct read *r, const char *text, const int *slot, bool swap)
{
	int set[LAYERS] = { 0 };

	for (size_t w = 0; w < sizeof yaml_words / sizeof yaml_words[0]; w++) {
		const char *at = behind(text, yaml_words[w].key), *word;
		int list[LAYERS], n, layer = 0;

		if (at == NULL)
			continue;
		at -= yaml_words[w].word[0] == '\0';
		word = strstr(at, yaml_words[w].word);
		if (word == NULL || (yaml_words[w].says < SAYS_OP && word > at + strcspn(at, "\n")))
			continue;
		n = bracketed(word, list, LAYERS);
		for (int i = 0; swap && i < n; i++)
			set[list[i]] |= yaml_words[w].says;
		for (int i = 0; !swap && i < r->pieces; i++)
			for (int j = 0; j < r->layers[i]; j++, layer++)
				if (j < list[slot[i]])
					set[layer] |= yaml_words[w].says;
	}
	for (int i = 0; i < LAYERS; i++)
		r->kind[i] = kind_of_words(set[i]);
}

/* Read a MindFormers YAML. A list applies to layer j of a piece if its number for the piece is above j. */
static inline void
read_mindformers(struct read *r, const char *text, int layers)
{
	static const char *const key[] = { "\n    offset:", "\n  recompute:", "\n  select_recompute:",
	    "\n  select_comm_recompute:" };
	int list[4][PIECES] = { { 0 } }, slots[PIECES], p = number_behind(text, "pipeline_stage:", 0), at = 0;
	int v = says(text, "pipeline_interleave:", "True") ? number_behind(text, "pp_interleave_num:", 1) : 1;
	bool fold = says(text, "pipeline_scheduler:", "zero_bubble_v"),
	    gpipe = says(text, "pipeline_scheduler:", "gpipe");

	for (int k = 0; k < 4; k++)
		numbers(text, key[k], list[k], PIECES);
	r->shape = (struct shape){ .stages = p, .chunks = v,
	    .kind = fold ? SCHEDULE_ZERO_BUBBLE_V : gpipe ? SCHEDULE_GPIPE :
	    v == 1 ? SCHEDULE_1F1B : strstr(text, "export ENABLE_LESS_MEM_VPP=1") ? SCHEDULE_VPP_LESS : SCHEDULE_VPP };
	r->pieces = p * v;
	for (int i = 0; i < r->pieces; i++) {
		int s = fold && i >= p ? 2 * p - 1 - i : i % p, slot = i / p * p + s;

		r->stage[i] = s;
		slots[i] = slot;
		r->layers[i] = layers / r->pieces + list[0][slot];
		for (int j = 0; j < r->layers[i] && at < LAYERS; j++)
			r->kind[at++] = j < list[1][slot] ? RECOMPUTE_FULL : j < list[2][slot] && j < list[3][slot] ?
			    RECOMPUTE_BOTH :
			    j < list[2][slot] ? RECOMPUTE_SELECT : j < list[3][slot] ? RECOMPUTE_COMM : RECOMPUTE_NONE;
	}
	if (strstr(text, "{'") != NULL || strstr(text, "swap_config") != NULL)
		read_patterns(r, text, slots, strstr(text, "swap_config") != NULL);
}

/* Read "Et*3|(tt|)*2,m|L" letter by letter. */
static inline void
unroll(const char *text, char *to, size_t room)
{
	char *begin = to;

	for (; *text != '\0' && *text != '"' && *text != '\n' && to < begin + room - 1; text++) {
		char part[300] = "";
		int times;

		if (*text == ',')
			continue;
		if (*text == '(') {
			unroll(text + 1, part, strcspn(text + 1, ")") + 1 < sizeof part ? sizeof part : 1);
			*strchr(part, ')') = '\0';
			/* Inner repetitions have been unrolled; the text still contains them. */
			text += strcspn(text, ")");
		} else {
			part[0] = *text;
		}
		times = text[1] == '*' ? atoi(text + 2) : 1;
		if (text[1] == '*')
			text += 1 + strspn(text + 2, "0123456789");
		for (; times > 0; times--)
			to += sprintf(to, "%s", part);
	}
	*to = '\0';
}

/* Apply to all layers. */
static inline enum recompute
part_of(const char *text)
{
	static const struct { const char *word; int set; } words[] = {
		{ "layernorm", 1 }, { "moe_act", 2 }, { "shared_experts", 4 }, { "core_attn", 8 }, { "expert_fc1", 16 },
		{ "swap-modules input_norm,self_attention", 8 }, { "selective", 32 },
	};
	int set = 0;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		set |= strstr(text, words[i].word) != NULL ? words[i].set : 0;
	return set == 32 ? RECOMPUTE_SELECT : set == (32 | 1) ? (enum recompute)ACT : set == (32 | 1 | 2) ?
	    (enum recompute)WIDE : set == 8 ? (enum recompute)OUT : set == (32 | 4 | 16) ? (enum recompute)AWAY :
	    set == 0 ? RECOMPUTE_NONE : RECOMPUTE_KINDS;
}

/* Read arguments of Megatron-LM and MindSpeed-LLM; NEMO: with NeMo's words. */
static inline void
read_arguments(struct read *r, const char *text, bool nemo)
{
	int layers = number_behind(text, nemo ? ".num_layers=" : "--num-layers ", 0), at = 0;
	int mtp = number_behind(text, nemo ? "mtp_num_layers=" : "--mtp-num-layers ", 0);
	int p = number_behind(text, nemo ? "pipeline_model_parallel_size=" : "--pipeline-model-parallel-size ", 0);
	int each = number_behind(text, "--num-layers-per-virtual-pipeline-stage ", 0);
	int v = nemo ? number_behind(text, "virtual_pipeline_model_parallel_size=", 1) : each > 0 ? layers / p / each
	    : 1;
	int first = number_behind(text, nemo ? "num_layers_in_first_pipeline_stage=" :
	    "--decoder-first-pipeline-num-layers ", 0);
	int last = number_behind(text, nemo ? "num_layers_in_last_pipeline_stage=" :
	    "--decoder-last-pipeline-num-layers ", 0);
	int block = number_behind(text, nemo ? "recompute_num_layers=" : "--recompute-num-layers ", 0), list[LAYERS];
	enum recompute part = part_of(text);
	const char *layout = behind(text, nemo ? "pipeline_model_parallel_layout=\"" :
	    "--pipeline-model-parallel-layout \"");
	bool dual = strstr(text, "--schedules-method dualpipev") != NULL;
	int decoders[PIECES] = { 0 }, extra[PIECES] = { 0 }, n;
	char letters[1000];

	if (dual)
		v = 2;
	if (layout != NULL) {
		unroll(layout, letters, sizeof letters);
		n = 0;
		for (char *c = letters; *c != '\0'; c++) {
			n += *c == '|';
			decoders[n] += *c == 't';
			extra[n] += *c == 'm';
		}
		v = (n + 1) / p;
	}
	r->pieces = p * v;
	for (int i = 0; i < r->pieces && layout == NULL; i++)
		decoders[i] = first > 0 ? (i == 0 ? first : i == p - 1 ? last : (layers - first - last) / (p - 2)) :
		    layers / r->pieces;
	if (layout == NULL)
		extra[r->pieces - 1] = mtp;
	if (numbers(text, "--num-layer-list ", list, LAYERS) > 0)
		memcpy(decoders, list, (size_t)p * sizeof *list);
	n = numbers(text, "--noop-layers ", list, LAYERS);
	for (int i = 0; i < n; i++)
		decoders[list[i] / (layers / r->pieces)]--;
	r->shape = (struct shape){ .stages = p, .chunks = v,
	    .kind = dual ? SCHEDULE_DUALPIPEV : v == 1 ? SCHEDULE_1F1B :
	    strstr(text, "overlap") != NULL ? SCHEDULE_VPP_OVERLAP : SCHEDULE_VPP,
	    .group = v > 1 && !dual ? number_behind(text, nemo ? "microbatch_group_size_per_vp_stage=" :
	    "--microbatch-group-size-per-virtual-pipeline-stage ", 0) : 0 };
	for (int i = 0; i < r->pieces; i++) {
		r->stage[i] = dual && i >= p ? 2 * p - 1 - i : i % p;
		r->layers[i] = decoders[i] + extra[i];
		for (int j = 0; j < r->layers[i] && at < LAYERS; j++)
			r->kind[at++] = part != RECOMPUTE_NONE ? part : j < block && j < decoders[i] ? RECOMPUTE_FULL :
			    RECOMPUTE_NONE;
	}
}

/* Read a torchtitan configuration, and the file with the order. */
static inline void
read_torchtitan(struct read *r, const char *text, const char *order, int micro)
{
	const char *at = strstr(text, "part = [\n") + 9;
	int p = number_behind(text, "pipeline_parallel_degree =", 0);
	bool fold = says(text, "schedule =", "ZBVZeroBubble");
	enum recompute kind = says(text, "mode =", "full") ? RECOMPUTE_FULL : says(text, "mode =", "selective") ?
	    RECOMPUTE_SELECT : RECOMPUTE_NONE;
	int layer = 0;

	r->pieces = 0;
	for (; *at == ' '; at += strcspn(at, "\n") + 1, r->pieces++) {
		const char *end = at + strcspn(at, "\n");

		r->layers[r->pieces] = 0;
		for (const char *l = at; (l = strstr(l, "\"layers.")) != NULL && l < end; l += 8) {
			if (atoi(l + 8) != layer)
				printf("# layer %d where %d comes next\n", atoi(l + 8), layer);
			r->kind[layer++] = kind;
			r->layers[r->pieces]++;
		}
	}
	for (int i = 0; i < r->pieces; i++)
		r->stage[i] = fold && i >= p ? 2 * p - 1 - i : i % p;
	r->shape = (struct shape){ .stages = p, .chunks = r->pieces / p, .kind = SCHEDULE_CUSTOM, .order = order };
	if (strstr(text, "schedule_csv") != NULL)
		return;
	r->shape.order = NULL;
	r->shape.kind = says(text, "schedule =", "GPipe") ? SCHEDULE_GPIPE : says(text, "schedule =", "1F1B") ?
	    SCHEDULE_1F1B :
	    SCHEDULE_VPP;
	if (r->shape.kind == SCHEDULE_VPP && (micro % p != 0 || !says(text, "schedule =", "Interleaved1F1B")))
		printf("# not what Interleaved1F1B runs\n");
}

#endif
