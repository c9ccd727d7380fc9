/*
 * Arguments of a Megatron run, from its log or command: "pipeline_model_parallel_size .... 4",
 * "pipeline_model_parallel_size : 4 (int)", "--pipeline-model-parallel-size 4", "pipeline-model-parallel size: 4".
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

/* Numeric arguments. */
enum argument {
	ARGUMENT_PIPELINE, ARGUMENT_TENSOR, ARGUMENT_CONTEXT, ARGUMENT_DATA, ARGUMENT_WORLD,
	ARGUMENT_CHUNKS, ARGUMENT_LAYERS_A_CHUNK,
	ARGUMENT_LAYERS, ARGUMENT_MICRO_BATCH, ARGUMENT_GLOBAL_BATCH,
	ARGUMENTS
};

struct arguments {
	int number[ARGUMENTS];	/* 0: unset or None */
	struct place place[ARGUMENTS];
	int trust[ARGUMENTS];	/* priority: a full list of arguments overrides a command */
	char *layout;		/* pipeline_model_parallel_layout; NULL: unset */
	struct place layout_place;
	bool layout_lines, layout_open;	/* a list over several lines; it continues on the next line */
};

/* Read the arguments in a line of LENGTH bytes, which may be binary. */
void arguments_line(struct arguments *, const char *text, size_t length, struct place at);
/* Return the number of stages, 0 if unset. */
int arguments_stages(const struct arguments *);
/* Return the number of model chunks per stage (at least 1). Exits if the layers cannot be divided that way. */
int arguments_chunks(const struct arguments *);
/* Return the micro-batches per step, 0 if unknown. Exits if the batch is not divisible. */
int arguments_micro(const struct arguments *);
/* Return the number of ranks in all stages, 0 if unset. */
int arguments_ranks(const struct arguments *);
void arguments_free(struct arguments *);

#endif
