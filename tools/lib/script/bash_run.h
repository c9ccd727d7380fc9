/* Bash run: bash reads a launch script once, confined. */
#ifndef BASH_RUN_H
#define BASH_RUN_H

#include <stdbool.h>

#include "notes.h"

/* How a script is to be run. */
struct script_call {
	const char *path;
	const char *text;	/* taken for what the file has; NULL: the file's own */
	char *const *argument;	/* of the script, ended by NULL */
	struct texts set;	/* NAME=value: these win over the script's own assignments */
	bool past_exit;		/* exit does not end it */
	bool go_on;		/* nor does a command that fails under set -e */
	bool unconfined;
	double limit;		/* s; 0: sixty */
};

struct bash_run {
	struct notes notes;
	char *errors;		/* what bash wrote to stderr */
	bool late, many;	/* ended by the limits of time or of processes */
};

/* What stands for the output of programs that are not run: an index below STAND_INS, 0 for all but ONLY (NULL: all). */
enum { STAND_INS = 4 };

/* Exits if bash cannot be started, or not be confined. */
void bash_run(struct bash_run *, const struct script_call *, int stand_in, const char *only, double limit);
void bash_run_free(struct bash_run *);

#endif
