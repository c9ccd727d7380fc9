/* The launch record: a program that a script starts. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "lib/field/field.h"

/* An argument whose value is known only when the script runs. */
struct unknown_argument {
	uint64_t given;
	char *argument;		/* name of the argument, such as "--nnodes" */
	char *from;		/* program whose output is the value; absent: the value is an unset variable */
	int line;		/* line of the script that starts this program */
	char *variable;		/* variable that holds the value, if any; digits name an argument of the script */
};

struct program {
	uint64_t given;
	int line;
	char *source;		/* file that contains the line */
	struct texts environment;	/* exported variables, "NAME=value" */
	struct texts launcher;	/* words of the launcher, such as torchrun, --nproc_per_node, 8 */
	char *program;	/* "pretrain_gpt.py" or the name of a module; "" if only the launcher knows the program */
	struct texts arguments;
	struct array unknown;	/* of struct unknown_argument */
};

extern const struct fields program_fields, unknown_argument_fields;

#endif
