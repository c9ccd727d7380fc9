/* Bash run: run a launch script once with a confined bash. */
#ifndef BASH_RUN_H
#define BASH_RUN_H

#include <stdbool.h>

#include "notes.h"

/* How to run a script. */
struct script_call {
	const char *path;
	const char *text;	/* replaces the content of the file; NULL: the file's own */
	char *const *argument;	/* arguments of the script, NULL-terminated */
	struct texts set;	/* NAME=value that override the script's own assignments */
	bool past_exit;		/* continue after exit */
	bool go_on;		/* nor does a command that fails under set -e */
	bool unconfined;
	double limit;		/* s; 0: 60 */
};

struct bash_run {
	struct notes notes;
	char *errors;		/* stderr of bash */
	bool late, many;	/* ended by the limit of time, of processes */
};

/*
 * Text that replaces the output of programs that are not run: an index below STAND_INS, 0 for all except ONLY (NULL:
 * all).
 */
enum { STAND_INS = 4 };

/* Exits if bash cannot be started or confined. */
void bash_run(struct bash_run *, const struct script_call *, int stand_in, const char *only, double limit);
void bash_run_free(struct bash_run *);

#endif
