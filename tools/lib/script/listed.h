/*
 * Listed: the list of arguments that Megatron-LM prints to its log, "num_layers .......... 40", converted to a command,
 * "--num-layers '40'", with each option on its original line, so that readers of commands also read logs.
 */
#ifndef LISTED_H
#define LISTED_H

#include <stdbool.h>
#include <stddef.h>

struct listed {
	bool pipeline;		/* has the number of stages: a list of Megatron-LM */
	char *text;		/* one line per option; NULL: none */
	size_t length, room;
	bool open;		/* between head and end of a list, where fewer dots suffice */
	bool padded;		/* the vocabulary is the padded one */
	bool attention;		/* has an argument for the attention implementation */
	char *chunks;		/* virtual_pipeline_model_parallel_size; NULL: unset or one */
	char *each;		/* num_layers_per_virtual_pipeline_stage, for lists without the former; NULL: unset */
};

/* Read the next line, without its end, possibly binary. */
/*
 * Return whether a line comes from DeepSpeed, which prints its configuration in the same form: there world_size counts
 * data-parallel ranks.
 */
bool listed_by_deepspeed(const char *line, size_t length);
void listed_line(struct listed *, const char *line, size_t length);
/* Call after the last line. */
void listed_end(struct listed *);
void listed_free(struct listed *);

/* Convert a whole text; return the command (caller frees), or NULL without a list of arguments. */
char *listed_command(const char *text, size_t length);

#endif
