/* Launch: arguments of a training run with Megatron-LM or one of its kin, as text. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"
#include "lib/field/table.h"

enum launch_option {
	LAUNCH_LAYERS, LAUNCH_MTP, LAUNCH_STAGES, LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
	LAUNCH_LAYOUT, LAUNCH_HYBRID, LAUNCH_LIST,
	LAUNCH_NOOP, LAUNCH_SCHEDULE, LAUNCH_OVERLAP, LAUNCH_GROUP, LAUNCH_GRANULARITY,
	LAUNCH_METHOD,
	LAUNCH_RECOMPUTE, LAUNCH_MODULES, LAUNCH_OFFLOAD, LAUNCH_OFFLOAD_MODULES, LAUNCH_SWAP, LAUNCH_SWAP_MODULES,
	LAUNCH_ACTIVATIONS, LAUNCH_PER_RANK, LAUNCH_EMBEDDING_COUNTS,
	LAUNCH_LOSS_COUNTS,
	/* of Primus, primus.h */
	LAUNCH_SPLIT_LIST, LAUNCH_LAYER_IDS, LAUNCH_OWN_RUNTIME, LAUNCH_ALGORITHM, LAUNCH_OFFLOAD_ORDER,
	LAUNCH_ZERO_BUBBLE,
	/* of FlagScale, flagscale.h */
	LAUNCH_STAGE_FULL, LAUNCH_STAGE_METHOD, LAUNCH_STAGE_LAYERS, LAUNCH_HETERO, LAUNCH_HETERO_LIST,
	LAUNCH_PARTIAL, LAUNCH_FRACTION, LAUNCH_LESS,
	LAUNCH_GLOBAL_BATCH, LAUNCH_MICRO_BATCH, LAUNCH_SEQ_LENGTH, LAUNCH_TENSOR, LAUNCH_CONTEXT,
	LAUNCH_SETTINGS,	/* the first of those that no pipeline depends on */
	LAUNCH_CONTEXT_KIND = LAUNCH_SETTINGS, LAUNCH_EXPERTS, LAUNCH_EXPERT, LAUNCH_EXPERT_TENSOR, LAUNCH_DISPATCHER,
	LAUNCH_DEEPEP, LAUNCH_FLEX, LAUNCH_MC2, LAUNCH_PERMUTE, LAUNCH_PERMUTE_SAME, LAUNCH_GRAPH, LAUNCH_GRAPH_SCOPE,
	LAUNCH_GRAPH_MODULES, LAUNCH_GRAPH_EXTERNAL, LAUNCH_GRAPH_ENABLE, LAUNCH_SEQUENCE, LAUNCH_OPTIMIZER,
	LAUNCH_OPTIMIZERS, LAUNCH_FSDP, LAUNCH_FP8, LAUNCH_FP4, LAUNCH_FP8_ATTENTION, LAUNCH_FP8_HEADS, LAUNCH_CONTEXT_ALGORITHM,
	LAUNCH_NODES, LAUNCH_NODE_DEVICES, LAUNCH_WORLD, LAUNCH_OPTIONS
};

/* --num-layers 4; model.num_layers=4; YAML files with num_layers: 4, of Primus and of FlagScale. */
enum launch_dialect { LAUNCH_ARGUMENTS, LAUNCH_NEMO, LAUNCH_PRIMUS, LAUNCH_FLAGSCALE, LAUNCH_DIALECTS };

struct launch {
	char *source;
	char *value[LAUNCH_OPTIONS];	/* NULL: not there; of a flag ""; of several words with blanks between */
	struct place place[LAUNCH_OPTIONS];
};

/* Its name on the command line. */
const char *launch_name(enum launch_option);
/* The same as a configuration has it, for those that no command has. */
const char *launch_key(enum launch_option);
/* Has the dialect a word for it? */
bool launch_said_in(enum launch_option, enum launch_dialect);
/* The option of this name, or of a key of a configuration; LAUNCH_OPTIONS: there is none. */
enum launch_option launch_named(const char *word);
/* How many words follow it: 0, 1, or -1 for as many as there are. */
int launch_takes(enum launch_option);
/* VALUE is taken over. */
void launch_set(struct launch *, enum launch_option, char *value);
/* One a line, ready to be pasted into a shell command. */
void launch_print(const struct launch *, enum launch_dialect, FILE *);
struct started;
/* The options among the arguments of a command. Exits naming the line of one without a value that is known. */
void launch_of_started(struct launch *, const struct started *);
/* The same of a list of arguments, "--num-layers 4" or "model.num_layers=4". */
void launch_of_list(struct launch *, const char *text, const char *source);
struct yaml;
/*
 * The same of a YAML file with such arguments. Its dialect; LAUNCH_DIALECTS: it is none, and nothing is read. Exits
 * naming the line of what cannot be known.
 */
enum launch_dialect launch_read_yaml(struct launch *, const struct yaml *root);
void launch_free(struct launch *);

/* A number that must be there, or 0 where it is not; exits naming its line when it is none. */
int launch_int(const struct launch *, enum launch_option, int min, int max);
/* "3,4,4,3" or "[11, 13]", [1][n], each within [min, max]. */
struct grid launch_numbers(const struct launch *, enum launch_option, int min, int max);
/* The words of an option that is there, divided by blanks or commas; to be freed. */
struct texts launch_words(const struct launch *, enum launch_option);

#endif
