/* The launch record: a program that a script starts. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "lib/field/field.h"

/* An argument whose value is not known before the script runs. */
struct unknown_argument {
	uint64_t given;
	char *argument;		/* its name, "--nnodes" */
	char *from;		/* the program whose output it comes from; absent: a variable that nobody set */
	int line;		/* of the script, where that program is started */
	char *variable;		/* that the value is in, if any; of digits: an argument of the script */
};

struct program {
	uint64_t given;
	int line;
	char *source;		/* the file that has the line */
	struct texts environment;	/* NAME=value of what is exported */
	struct texts launcher;	/* its words: torchrun, --nproc_per_node, 8 */
	char *program;		/* "pretrain_gpt.py", or the name of a module; "" if only the launcher knows */
	struct texts arguments;
	struct array unknown;	/* of struct unknown_argument */
};

extern const struct fields program_fields, unknown_argument_fields;

#endif
