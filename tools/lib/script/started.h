/* Started: the command of a run, from any kind of file. */
#ifndef STARTED_H
#define STARTED_H

#include <stdio.h>

#include "lib/base/place.h"
#include "programs.h"

struct started {
	struct program program;
	struct place place;	/* of the command */
	bool listed;		/* from a log, with defaults */
	bool keys;		/* from a YAML, whose values may be "false" */
	int defaults;		/* number of its first arguments that come from the framework's own files */
	int number, of;		/* in a script: number of this program, from 1, and number of programs */
	long *line;		/* [program.arguments.n], line of each argument's option */
};

/* How to run scripts: options -set, -launch, ... of a tool. Its path, text and arguments are ignored. */
extern struct script_call started_call;
extern int started_launch;
/* Refuse scripts: for fuzz targets. */
extern bool started_no_scripts;

/*
 * Read the TEXT of SOURCE at PATH: a script, run by bash; launch records; a log with its list of arguments; or a list
 * of arguments. Return false, without reading, for other kinds of files.
 */
bool started_read(struct started *, const char *path, const char *text, size_t length, const char *source);
/*
 * Read the command of another text of the script of LIKE: the program of the same number, if as many are started. Runs
 * bash once, without messages. Return false if the text starts other programs.
 */
bool started_again(struct started *, const char *path, const char *text, size_t length, const struct started *like);
/* Return whether started_read() would read it; runs no script. */
bool started_is(const char *path, const char *text, size_t length);
/* Read a list of arguments: quoted or bare words, a backslash before a line end. */
void started_list(struct started *, const char *text, const char *source);
void started_free(struct started *);

/*
 * Return the number of nodes, or of devices per node, from the launcher, from exported variables (swift), or in a list
 * from any argument; NULL if unknown.
 */
const char *started_nodes(const struct started *);
const char *started_node_devices(const struct started *);
/* Return the value of a launcher's option among NAMES or an exported variable, separated by '|', or NULL. */
const char *started_launcher(const struct started *, const char *names, const char *variables);
/* Return whether WORD begins with two dashes and a letter. */
bool started_is_option(const char *word);
/*
 * Return the values of option *I of the arguments, joined by blanks, or NULL, and advance *I to the next option. Caller
 * frees.
 */
char *started_value(const struct started *, int *i);

/*
 * Return the key of an override, "model.num_layers=4", behind its last dot, with the length of the key and the value;
 * NULL: it is none, or one of a network that is not trained by these degrees ("actor_rollout_ref.rollout.x=1").
 */
const char *started_override(const char *word, size_t *length, const char **value);

/* Return whether verl starts: its actor is trained, with overrides below actor_rollout_ref. */
bool started_of_verl(const struct started *);

/* Return the unknown argument NAME, "--nnodes" or another spelling, or NULL. */
const struct unknown_argument *started_unknown(const struct started *, const char *name);
/* Return why the value of X is unknown, and how to set it; caller frees. */
char *started_why(const struct started *, const struct unknown_argument *x);
/* Return the place of argument I. */
struct place started_place(const struct started *, int i);

#endif
