/* Place: the file and line where a value was read, and messages that begin with it. */
#ifndef PLACE_H
#define PLACE_H

struct place {
	const char *source;	/* file name, "<stdin>", or an option such as "-mem" */
	long line;		/* from 1; 0 when lines mean nothing there */
};

/* Print "tool: source:line: message" and exit with STATUS_ERROR. */
_Noreturn void place_die(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Print "tool: source:line: warning: message" and go on. */
void place_warn(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "tool: source:line: message" and go on: an answer, but not the one hoped for. */
void place_say(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Called instead of exit() by place_die(); a fuzz target sets it to jump back. */
extern void (*place_exit)(int status);

#endif
