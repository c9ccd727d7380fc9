/* Place: the source file and line of a value; messages that begin with it. */
#ifndef PLACE_H
#define PLACE_H

struct place {
	const char *source;	/* file name, "<stdin>", or an option such as "-mem" */
	long line;		/* from 1; 0: no line */
};

/* Print "tool: source:line: message" and exit with STATUS_ERROR. */
_Noreturn void place_die(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Print "tool: source:line: warning: message" and go on. */
void place_warn(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "tool: source:line: message" and go on, if an answer falls short of the request. */
void place_say(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Called by place_die() instead of exit(); fuzz targets set it to jump back. */
extern void (*place_exit)(int status);

#endif
