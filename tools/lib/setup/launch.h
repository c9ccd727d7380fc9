/* Launch: arguments of a training run of Megatron-LM or its kin, as text. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

enum launch_option {
	LAUNCH_LAYERS, LAUNCH_MTP, LAUNCH_STAGES, LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
	LAUNCH_LAYOUT, LAUNCH_HYBRID, LAUNCH_LIST,
	LAUNCH_NOOP, LAUNCH_SCHEDULE, LAUNCH_OVERLAP, LAUNCH_GROUP, LAUNCH_GRANULARITY,
	LAUNCH_METHOD,
	LAUNCH_RECOMPUTE, LAUNCH_MODULES, LAUNCH_OFFLOAD, LAUNCH_OFFLOAD_MODULES, LAUNCH_SWAP, LAUNCH_SWAP_MODULES,
	LAUNCH_ACTIVATIONS, LAUNCH_PER_RANK, LAUNCH_EMBEDDING_COUNTS,
	LAUNCH_LOSS_COUNTS,
	/* own_lists.h */
	LAUNCH_SPLIT_LIST, LAUNCH_LAYER_IDS, LAUNCH_OWN_RUNTIME, LAUNCH_ALGORITHM, LAUNCH_OFFLOAD_ORDER,
	LAUNCH_ZERO_BUBBLE,
	LAUNCH_STAGE_FULL, LAUNCH_STAGE_METHOD, LAUNCH_STAGE_LAYERS, LAUNCH_HETERO, LAUNCH_HETERO_LIST,
	LAUNCH_PARTIAL, LAUNCH_FRACTION, LAUNCH_LESS,
	LAUNCH_GLOBAL_BATCH, LAUNCH_MICRO_BATCH, LAUNCH_SEQ_LENGTH, LAUNCH_TENSOR, LAUNCH_CONTEXT,
	LAUNCH_SETTINGS,	/* the first of those without effect on the pipeline */
	LAUNCH_CONTEXT_KIND = LAUNCH_SETTINGS, LAUNCH_EXPERTS, LAUNCH_EXPERT, LAUNCH_EXPERT_TENSOR, LAUNCH_DISPATCHER,
	LAUNCH_DEEPEP, LAUNCH_FLEX, LAUNCH_MC2, LAUNCH_PERMUTE, LAUNCH_PERMUTE_SAME, LAUNCH_GRAPH, LAUNCH_GRAPH_SCOPE,
	LAUNCH_GRAPH_MODULES, LAUNCH_GRAPH_EXTERNAL, LAUNCH_GRAPH_ENABLE, LAUNCH_SEQUENCE, LAUNCH_OPTIMIZER,
	LAUNCH_OPTIMIZERS, LAUNCH_FSDP, LAUNCH_FP8, LAUNCH_FP4, LAUNCH_FP8_ATTENTION, LAUNCH_FP8_HEADS,
	LAUNCH_CONTEXT_ALGORITHM, LAUNCH_NODES, LAUNCH_NODE_DEVICES, LAUNCH_WORLD, LAUNCH_OPTIONS
};

/* --num-layers 4; model.num_layers=4; num_layers: 4 in YAML files; LAUNCH_DIALECTS: no arguments. */
enum launch_dialect { LAUNCH_ARGUMENTS, LAUNCH_NEMO, LAUNCH_YAML, LAUNCH_DIALECTS };

struct launch {
	char *source;
	char *value[LAUNCH_OPTIONS];	/* NULL: absent; flags: ""; several words are separated by blanks */
	struct place place[LAUNCH_OPTIONS];
};

/* Return its name on the command line. */
const char *launch_name(enum launch_option);
/* Return its name in a configuration, for options without a command-line form. */
const char *launch_key(enum launch_option);
/* Return whether the dialect can express it. */
bool launch_said_in(enum launch_option, enum launch_dialect);
/* Return the option of this name or configuration key; LAUNCH_OPTIONS: unknown. */
enum launch_option launch_named(const char *word);
/* Return the number of words after it: 0, 1, or -1 for any number. */
int launch_takes(enum launch_option);
/* Takes ownership of VALUE. */
void launch_set(struct launch *, enum launch_option, char *value);
/* Print one option per line, ready for a shell command. */
void launch_print(const struct launch *, enum launch_dialect, FILE *);
struct started;
/* Read the options among the arguments of a command. Exits, naming the line, on an unknown value. */
void launch_of_started(struct launch *, const struct started *);
void launch_free(struct launch *);

/* Return a number, or 0 if absent. Exits, naming its line, unless it is a number within [min, max]. */
int launch_int(const struct launch *, enum launch_option, int min, int max);
/* Return a list [1][n] such as "3,4,4,3" or "[11, 13]", each within [min, max]. */
struct grid launch_numbers(const struct launch *, enum launch_option, int min, int max);
/* Return the words of an option, separated by blanks or commas; caller frees. */
struct texts launch_words(const struct launch *, enum launch_option);

#endif
