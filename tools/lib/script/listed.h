/*
 * The list of arguments that Megatron-LM prints to its log. A line such as "num_layers .......... 40" is converted to
 * an argument of a command, "--num-layers '40'", and stays on its line. So code that reads commands can also read logs.
 */
#ifndef LISTED_H
#define LISTED_H

#include <stdbool.h>
#include <stddef.h>

struct listed {
	bool pipeline;		/* it has the number of stages, so it is a list of Megatron-LM */
	char *text;		/* the arguments, one per line; NULL: none */
	size_t length, room;
	bool open;		/* the list has begun and not ended; inside a list fewer dots suffice */
	bool padded;		/* the size of the vocabulary is the padded one */
	bool attention;		/* it has an argument for the implementation of attention */
	char *chunks;		/* value of virtual_pipeline_model_parallel_size; NULL: unset or one */
	char *each;	/* value of num_layers_per_virtual_pipeline_stage, used if chunks is unset; NULL: unset */
};

/*
 * Return whether a line comes from DeepSpeed. DeepSpeed prints its configuration in the same form, but its world_size
 * is the number of data-parallel ranks.
 */
bool listed_by_deepspeed(const char *line, size_t length);
/* Read the next line, without its newline. It may be binary. */
void listed_line(struct listed *, const char *line, size_t length);
/* Call after the last line. */
void listed_end(struct listed *);
void listed_free(struct listed *);

/* Convert a whole text. Return the command (caller frees), or NULL if the text has no list of arguments. */
char *listed_command(const char *text, size_t length);

#endif
