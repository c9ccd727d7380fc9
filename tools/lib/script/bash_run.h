/* Run a launch script once, with a bash that is confined. */
#ifndef BASH_RUN_H
#define BASH_RUN_H

#include <stdbool.h>

#include "notes.h"

/* How to run a script. */
struct script_call {
	const char *path;
	const char *text;	/* replaces the content of the file; NULL: read the file */
	char *const *argument;	/* arguments of the script, NULL-terminated */
	struct texts set;	/* "NAME=value"; they override the script's own assignments */
	bool past_exit;		/* the script continues after exit */
	bool go_on;		/* the script continues after a command that fails under set -e */
	bool unconfined;
	double limit;		/* maximum time, s; 0: 60 */
};

struct bash_run {
	struct notes notes;
	char *errors;		/* stderr of bash */
	bool late, many;	/* ended at the limit of time; at the limit of processes */
};

/* Number of texts that can replace the output of programs that a run does not start. */
enum { STAND_INS = 4 };

/*
 * Run the script once. The output of programs that are not run is a text. For the program ONLY (NULL: for all programs)
 * it is text STAND_IN, which is below STAND_INS. For every other program it is text 0. Exit if bash cannot be started
 * or confined.
 */
void bash_run(struct bash_run *, const struct script_call *, int stand_in, const char *only, double limit);
void bash_run_free(struct bash_run *);

#endif
