/* Started: the command that a run is started with, whatever kind of file says it. */
#ifndef STARTED_H
#define STARTED_H

#include <stdio.h>

#include "lib/base/place.h"
#include "programs.h"

struct started {
	struct program program;
	struct place place;	/* of the command */
	bool listed;		/* by a log, with defaults */
	int number, of;		/* of a script: which of how many programs, from 1 */
	long *line;		/* [program.arguments.n], of the option that each belongs to */
};

/* How scripts are run: what -set, -launch, ... of a tool say. Its path, text and arguments count for nothing. */
extern struct script_call started_call;
extern int started_launch;
/* Scripts are errors: for fuzz targets. */
extern bool started_no_scripts;

/*
 * Read the TEXT of SOURCE, which PATH names: a script, which bash runs, launch records, a log with the list of its
 * arguments, or a list of arguments. Return false, and nothing is read, if it is another kind of file.
 */
bool started_read(struct started *, const char *path, const char *text, size_t length, const char *source);
/*
 * The command of another text of a script that started LIKE: the program of the same number, if as many are started.
 * Bash runs it once, without a message; false: it starts others.
 */
bool started_again(struct started *, const char *path, const char *text, size_t length, const struct started *like);
/* Would started_read() read it? No script is run for that. */
bool started_is(const char *path, const char *text, size_t length);
/* The same of a list of arguments: words in quotes or not, a backslash before the end of a line. */
void started_list(struct started *, const char *text, const char *source);
void started_free(struct started *);

/*
 * The number of nodes and of devices of each, as the launcher has them, or as exported variables, swift's; of a list,
 * any argument. NULL: unknown.
 */
const char *started_nodes(const struct started *);
const char *started_node_devices(const struct started *);
/* The value of a launcher's option among NAMES, or of an exported variable, which '|' divides; NULL: none. */
const char *started_launcher(const struct started *, const char *names, const char *variables);
/* Does WORD begin with two dashes and a letter? */
bool started_is_option(const char *word);
/* The values of option *I of the arguments, joined by blanks, or NULL. Moves *I to the next option. Caller frees. */
char *started_value(const struct started *, int *i);

/* The unknown argument of the name, "--nnodes" or another spelling of it, or NULL. */
const struct unknown_argument *started_unknown(const struct started *, const char *name);
/* Why the value of X is not known, and what gives it; to be freed. */
char *started_why(const struct started *, const struct unknown_argument *x);
/* The place of argument I. */
struct place started_place(const struct started *, int i);

#endif
