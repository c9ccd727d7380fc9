/* Programs: what a launch script would start, by running it with bash, confined. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "bash_run.h"
#include "lib/record/program.h"

struct programs {
	int n;
	struct program *at;
};

/*
 * The programs that the script starts, in their order, with the arguments whose values come from programs that are
 * not run. Exits naming the line where the script ends if it starts none.
 */
void programs_read(struct programs *, const struct script_call *);
/* The same by one run, without what is unknown and without messages; there may be none. */
void programs_once(struct programs *, const struct script_call *);
void programs_free(struct programs *);

/* What program N of OTHER, another run of the script, is among ALL; NULL: it is not started there. */
struct program *programs_same(const struct programs *all, const struct programs *other, int n);

/*
 * The program that trains: number ASKED, from 1; 0: the only one with arguments of training, or a known name. Exits
 * with the list if there are several, or none.
 */
const struct program *programs_training(const struct programs *, int asked, struct place);

/* Has any program arguments of training? */
bool programs_train(const struct programs *);

/* Divide a command's words into a launcher, the program that it starts and its arguments. */
void program_split(struct program *, const struct texts *words, int first);
/* Does TEXT look like a script of bash or sh? */
bool programs_looks_like(const char *text);

#endif
