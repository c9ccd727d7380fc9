/*
 * Listed: the list of its arguments that a run of Megatron-LM prints into its log, "num_layers .......... 40", as the
 * command that they stand for: "--num-layers '40'", each on the line that it stands on, so that whoever reads commands
 * reads logs, too.
 */
#ifndef LISTED_H
#define LISTED_H

#include <stdbool.h>
#include <stddef.h>

struct listed {
	bool pipeline;		/* the number of stages was among them: it is a list of Megatron-LM's */
	char *text;		/* one line for each that was taken; NULL: there was none */
	size_t length, room;
	bool open;		/* between the head and the end of a list, where short dots will do */
	bool padded;		/* the vocabulary is said as it was padded */
	bool attention;		/* an argument chooses how attention is computed */
	char *chunks;		/* virtual_pipeline_model_parallel_size; NULL: not said, or one */
};

/* Take the next line, without its end, which need not be text. */
/* DeepSpeed prints its own configuration in the same form: there world_size counts data-parallel ranks. */
bool listed_by_deepspeed(const char *line, size_t length);
void listed_line(struct listed *, const char *line, size_t length);
/* No more lines. */
void listed_end(struct listed *);
void listed_free(struct listed *);

/* All of a text: the command, to be freed; NULL: there is no list of arguments in it. */
char *listed_command(const char *text, size_t length);

#endif
