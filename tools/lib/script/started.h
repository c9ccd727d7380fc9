/* The command of a run, read from any kind of file. */
#ifndef STARTED_H
#define STARTED_H

#include <stdio.h>

#include "lib/base/place.h"
#include "programs.h"

struct started {
	struct program program;
	struct place place;	/* of the command */
	bool listed;		/* it comes from a log, which also lists defaults */
	bool keys;		/* it comes from a YAML, whose values may be "false" */
	char *file;		/* settings file that the command names, already read (followed.h); NULL: none */
	int defaults;		/* number of its first arguments that come from the framework's own files */
	int number, of;		/* of a script: number of this program, from 1; number of all programs */
	long *line;		/* [program.arguments.n], line of the option that each argument belongs to */
};

/* How to run scripts: options of a tool such as -set and -launch. Path, text and arguments in it are ignored. */
extern struct script_call started_call;
extern int started_launch;
/* Refuse scripts. For fuzz targets. */
extern bool started_no_scripts;

/*
 * Read the command in TEXT. PATH: its file; SOURCE: name in messages. TEXT may be a script (run by bash), launch
 * records, a log with a list of arguments, or a list of arguments. Return false for any other kind of file, without
 * reading it.
 */
bool started_read(struct started *, const char *path, const char *text, size_t length, const char *source);
/*
 * Read the command in another version of the script that LIKE was read from. It is the program of the same number, if
 * both versions start the same number of programs. Runs bash once, without messages. Return false if the version starts
 * other programs.
 */
bool started_again(struct started *, const char *path, const char *text, size_t length, const struct started *like);
/* Return whether started_read() would read it. Runs no script. */
bool started_is(const char *path, const char *text, size_t length);
/* Read a list of arguments: words with or without quotes. A backslash may precede the end of a line. */
void started_list(struct started *, const char *text, const char *source);
void started_free(struct started *);

/* Return whether WORD begins with two dashes and a letter. */
bool started_is_option(const char *word);
/*
 * Return the values of the option at index *I of the arguments, separated by blanks, or NULL. Advance *I to the next
 * option. Caller frees.
 */
char *started_value(const struct started *, int *i);

/*
 * Return the key of an override such as "model.num_layers=4": the part after its last dot. Set *LENGTH and *VALUE.
 * Return NULL if WORD is not an override. Return NULL also for a network that these degrees do not train, such as
 * "actor_rollout_ref.rollout.x=1".
 */
const char *started_override(const char *word, size_t *length, const char **value);

/* Return whether verl is started. It trains its actor, whose overrides are below actor_rollout_ref. */
bool started_of_verl(const struct started *);
/* Return whether a fork of Megatron-LM with DeepSpeed is started. */
bool started_of_deepspeed(const struct started *);

/* Return the unknown argument NAME, such as "--nnodes", in any spelling, or NULL. */
const struct unknown_argument *started_unknown(const struct started *, const char *name);
/* Return a text that says why the value of X is unknown and how to set it. Caller frees. */
char *started_why(const struct started *, const struct unknown_argument *x);
/* Return the place of argument I. */
struct place started_place(const struct started *, int i);

#endif
