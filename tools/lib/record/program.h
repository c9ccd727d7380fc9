/* The launch record: a program started by a script. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "lib/field/field.h"

/* An argument with a value unknown before the script runs. */
struct unknown_argument {
	uint64_t given;
	char *argument;		/* its name, such as "--nnodes" */
	char *from;		/* the program that outputs the value; absent: an unset variable */
	int line;		/* line of the script that starts that program */
	char *variable;		/* variable with the value, if any; digits: an argument of the script */
};

struct program {
	uint64_t given;
	int line;
	char *source;		/* file of that line */
	struct texts environment;	/* exported NAME=value */
	struct texts launcher;	/* words of the launcher: torchrun, --nproc_per_node, 8 */
	char *program;		/* "pretrain_gpt.py" or a module name; "" if only the launcher knows it */
	struct texts arguments;
	struct array unknown;	/* of struct unknown_argument */
};

extern const struct fields program_fields, unknown_argument_fields;

#endif
