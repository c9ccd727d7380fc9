/* Programs: the programs that a launch script would start, found by running it with a confined bash. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "lib/record/program.h"
#include "bash_run.h"

struct programs {
	int n;
	struct program *at;
};

/*
 * Get the programs started by the script, in order, with the arguments that depend on programs that are not run. Exits,
 * naming the last line, if none exist.
 */
void programs_read(struct programs *, const struct script_call *);
/* Get the programs by one run, without unknown arguments and messages; there may be none. */
void programs_once(struct programs *, const struct script_call *);
void programs_free(struct programs *);

/* Return the program in ALL that equals program N of another run, or NULL if none exists. */
struct program *programs_same(const struct programs *all, const struct programs *other, int n);

/*
 * Return the training program number ASKED, from 1; with ASKED 0 the only program with training arguments or a known
 * name. Exits with a list if there are several or none.
 */
const struct program *programs_training(const struct programs *, int asked, struct place);

/* Return whether any program has arguments of training. */
bool programs_train(const struct programs *);

/* Divide a command's words into launcher, program and arguments. */
void program_split(struct program *, const struct texts *words, int first);
/* Return whether TEXT looks like a script of bash or sh. */
bool programs_looks_like(const char *text);

#endif
