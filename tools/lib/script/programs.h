/* The programs that a launch script would start. They are found by running the script with a bash that is confined. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "lib/record/program.h"
#include "bash_run.h"

struct programs {
	int n;
	struct program *at;
};

/*
 * Get the programs that the script starts, in order. Mark arguments that depend on the output of programs that were not
 * run. Exit, naming the last line, if it starts none.
 */
void programs_read(struct programs *, const struct script_call *);
/* Get the programs from a single run, without marks and messages. There may be none. */
void programs_once(struct programs *, const struct script_call *);
void programs_free(struct programs *);

/* Return the program in ALL that is equal to program N of another run, OTHER; NULL: none. */
struct program *programs_same(const struct programs *all, const struct programs *other, int n);

/*
 * Return the program that trains. It is number ASKED, from 1. If ASKED is 0, it is the program that has arguments of
 * training or the name of a training program. Exit with a list if several different programs qualify equally.
 */
const struct program *programs_training(const struct programs *, int asked, struct place);

/* Return whether any program has arguments of training. */
bool programs_train(const struct programs *);
/* Return whether the program's name is of a conversion of data or checkpoints. */
bool program_converts(const struct program *);
/* Return whether the program's name is of a conversion, an evaluation or a server. */
bool program_named_otherwise(const struct program *);

/* Divide the words of a command, from word FIRST on, into launcher, program and arguments. */
void program_split(struct program *, const struct texts *words, int first);
/* Return whether TEXT looks like a script of bash or sh. */
bool programs_looks_like(const char *text);

#endif
