/* Option: the command line, numbers with a range, and the options that every tool has. */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>

#include "lib/field/table.h"

/*
 * One option: its line of -h, and what it sets. Exactly one pointer is not NULL, which says of what type the argument
 * is. A table ends with { 0 }.
 */
struct option_row {
	const char *name;	/* "mem" for -mem and --mem */
	const char *argument;	/* as -h shows it, "MB[,MB...]"; NULL: it takes none */
	const char *what;
	bool *flag;		/* no argument: true where the option is given */
	const char **text;
	struct texts *texts;	/* one more each time */
	int *whole;		/* within min and max, as all numbers are */
	double *real;
	struct grid *ranges;	/* see option_ranges() */
	struct list *list;	/* one number, or several divided by commas */
	double min, max;
	bool megabytes;		/* of REAL, LIST: MB, or with a unit */
	void *choice;		/* an int or enum: the argument's position in NAMES; without an argument, VALUE */
	bool *marks;		/* of a list of NAMES: [position] is set */
	const char *const *names;
	int value;
	void (*take)(void *into, const char *option, char *argument);	/* OPTION with its dash */
	void *into;
};

extern bool option_verbose;	/* -v */

/*
 * Take all options, and return what follows them, ended by NULL. USAGE has the tool's forms and an example, each line
 * ended. -h -V -v -j -H are every tool's: -h prints USAGE and a line for each option, and exits 0. An option that is
 * none, or the argument of which is wrong, is told to stderr, exit 2.
 */
char **options_take(int argc, char *argv[], const char *usage, const struct option_row *own);
/* Print "tool: MESSAGE", then USAGE, to stderr, exit STATUS_USAGE. */
_Noreturn void option_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A report for people (stdout is a terminal, or -H) rather than JSON lines. */
bool option_report(void);
/* Records, because -j asks for them. */
bool option_json(void);

/* Exit with STATUS_USAGE and a message naming OPTION unless TEXT is a number within [min, max]. */
int option_int(const char *option, const char *text, int min, int max);
double option_real(const char *option, const char *text, double min, double max);
/* "56000", "512MB" or "57.2GB", of 1024 MB: MB within [min, max]. */
double option_megabytes(const char *option, const char *text, double min, double max);
/* "5", "1-4", "1,2,4", "1-3,8": ascending order not required, each within [min, max]. */
struct grid option_ranges(const char *option, const char *text, int min, int max);
/* TEXT's position in NAMES (ended by NULL). */
int option_choice(const char *option, const char *text, const char *const names[]);

#endif
