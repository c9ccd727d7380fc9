/* A place: the file and line that a value comes from. Messages begin with it. */
#ifndef PLACE_H
#define PLACE_H

struct place {
	const char *source;	/* name of the file, "<stdin>", or an option such as "-mem" */
	long line;		/* from 1; 0: no line */
};

/* Print "tool: source:line: message" and exit with STATUS_ERROR. */
_Noreturn void place_die(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Print "tool: source:line: warning: message" and return. */
void place_warn(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "tool: source:line: message" and return. For answers that fall short of the request. */
void place_say(struct place, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Called by place_die() instead of exit(). Fuzz targets set it to a function that jumps back. */
extern void (*place_exit)(int status);

#endif
