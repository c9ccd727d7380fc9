/*
 * TAP for unit tests: ok(), same(), near(), and DIES() for statements that must end with a message. End main with
 * return tap_done().
 */
#ifndef TAP_H
#define TAP_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/place.h"

static int tap_n, tap_failed;

/* Return the number of random questions: FEW in make check, MANY in make check-long. */
static inline int
draws(int few, int many)
{
	return getenv("LONG") != NULL ? many : few;
}

static inline bool
ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tap_n, name);
	tap_failed += !good;
	return good;
}

static inline void
same(long want, long got, const char *name)
{
	if (!ok(want == got, name))
		printf("# expected %ld\n# got      %ld\n", want, got);
}

static inline void
near(double want, double got, double tolerance, const char *name)
{
	if (!ok(fabs(want - got) <= tolerance, name))
		printf("# expected %.10g +- %g\n# got      %.10g\n", want, tolerance, got);
}

/* In the child: memory allocated when it died is not a leak. */
static inline FILE *
tap_fork(pid_t *pid)
{
	FILE *errors = tmpfile();

	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		dup2(fileno(errors), STDERR_FILENO);
		place_exit = _exit;
	}
	return errors;
}

static inline void
tap_dead(pid_t pid, FILE *errors, int status, const char *text, const char *name)
{
	char message[4096];
	int got;

	waitpid(pid, &got, 0);
	rewind(errors);
	message[fread(message, 1, sizeof message - 1, errors)] = '\0';
	fclose(errors);
	if (!ok(WIFEXITED(got) && WEXITSTATUS(got) == status && strstr(message, text) != NULL, name))
		printf("# expected %s\n# got      wait status %d, %s\n", text, got, message);
}

/* STATEMENT, run in a child, must exit with STATUS, of DIES 1, and a message that contains TEXT. */
#define DIES(text, statement, name) EXITS(1, text, statement, name)
#define EXITS(status, text, statement, name) do { \
	pid_t pid_; \
	FILE *errors_ = tap_fork(&pid_); \
	if (pid_ == 0) { \
		statement; \
		_exit(0); \
	} \
	tap_dead(pid_, errors_, status, text, name); \
} while (0)

static inline int
tap_done(void)
{
	printf("1..%d\n", tap_n);
	return tap_failed != 0;
}

#endif
