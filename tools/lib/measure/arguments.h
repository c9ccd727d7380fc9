/*
 * Arguments: how a Megatron run was started, from its log or its command: "pipeline_model_parallel_size .... 4",
 * "pipeline_model_parallel_size : 4 (int)", "--pipeline-model-parallel-size 4", "pipeline-model-parallel size: 4".
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"
#include "lib/field/table.h"

/* Those with a number. */
enum argument {
	ARGUMENT_PIPELINE, ARGUMENT_TENSOR, ARGUMENT_CONTEXT, ARGUMENT_DATA, ARGUMENT_WORLD,
	ARGUMENT_CHUNKS, ARGUMENT_LAYERS_A_CHUNK,
	ARGUMENT_LAYERS, ARGUMENT_FIRST_LAYERS, ARGUMENT_LAST_LAYERS,
	ARGUMENT_MICRO_BATCH, ARGUMENT_GLOBAL_BATCH,
	ARGUMENT_SEQ_LENGTH, ARGUMENT_HIDDEN, ARGUMENT_HEADS, ARGUMENT_VOCABULARY, ARGUMENT_FFN,
	ARGUMENT_RECOMPUTE_LAYERS,
	ARGUMENTS
};

enum argument_recompute { ARGUMENT_KEEP, ARGUMENT_SELECTIVE, ARGUMENT_FULL };

struct arguments {
	int number[ARGUMENTS];	/* 0: not said, or None */
	struct place place[ARGUMENTS];
	int trust[ARGUMENTS];	/* a list of all arguments wins over a command */
	int recompute;		/* enum argument_recompute */
	bool block;		/* recompute_method block: only the first recompute_num_layers of each chunk */
	char *layout;		/* pipeline_model_parallel_layout; NULL: not said */
	struct place layout_place;
	bool layout_lines, layout_open;	/* it is a list in lines; it goes on in the next one */
	bool embedding, loss;	/* count as a layer in the split */
	struct place offload;	/* of an argument by which activations are offloaded; line 0: there is none */
};

/* Take what a line of LENGTH bytes says, which need not be text. */
void arguments_line(struct arguments *, const char *text, size_t length, struct place at);
/* Stages; 0: not said. */
int arguments_stages(const struct arguments *);
/* Model chunks a stage, at least 1. Exits when the layers cannot be dealt out so. */
int arguments_chunks(const struct arguments *);
/*
 * What its layout says of every [chunk][stage]: layers, and EXTRA ones that predict further tokens; to be freed. Exits
 * when there are other layers than it places.
 */
struct grid arguments_layout(const struct arguments *, struct grid *extra);
/* Micro-batches of a step; 0: cannot be said. Exits when the batch cannot be divided so. */
int arguments_micro(const struct arguments *);
/* Ranks of all stages; 0: not said. */
int arguments_ranks(const struct arguments *);
void arguments_free(struct arguments *);

#endif
