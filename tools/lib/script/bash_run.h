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
	bool go_on;		/* continue after a command that fails under set -e */
	bool unconfined;
	double limit;		/* s; 0: 60 */
};

struct bash_run {
	struct notes notes;
	char *errors;		/* stderr of bash */
	bool late, many;	/* ended by the limit of time, of processes */
};

/* Number of texts that can replace the output of programs that are not run.  */
enum { STAND_INS = 4 };

/*
 * Run the script once. Text STAND_IN, below STAND_INS, replaces the output of the program ONLY (NULL: of all programs);
 * text 0 replaces the output of other programs. Exits if bash cannot be started or confined.
 */
void bash_run(struct bash_run *, const struct script_call *, int stand_in, const char *only, double limit);
void bash_run_free(struct bash_run *);

#endif
