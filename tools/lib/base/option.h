/* Parse the command line with a table of options; handle the options common to all tools. */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>

#include "table.h"

/*
 * One option: its -h line and its variable. Exactly one pointer is not NULL and fixes the type of the argument. A table
 * ends with { 0 }.
 */
struct option_row {
	const char *name;	/* "mem" for -mem and --mem */
	const char *argument;	/* as -h shows it, "MB[,MB...]"; NULL: no argument */
	const char *what;
	bool *flag;		/* no argument: set to true */
	const char **text;
	struct texts *texts;	/* repeatable; each use appends one */
	int *whole;		/* within min and max, like all numbers */
	double *real;
	struct grid *ranges;	/* parsed by option_ranges() */
	struct list *list;	/* one number or several, separated by commas */
	double min, max;
	bool megabytes;		/* REAL and LIST are in MB, or have a unit */
	void *choice;		/* an int or enum: index of the argument in NAMES; without an argument VALUE */
	bool *marks;		/* a list of NAMES: sets [index] */
	const char *const *names;
	int value;
	void (*take)(void *into, const char *option, char *argument);	/* OPTION includes its dash */
	void *into;
};

extern bool option_verbose;

/*
 * Parse all options and return the operands, NULL-terminated. USAGE has the tool's forms and an example, each line
 * ended. Adds -h -V -v -j -H to the tool's own options; -h prints USAGE and a line per option, and exits 0. Prints an
 * unknown option or a wrong argument to stderr and exits 2.
 */
char **options_take(int argc, char *argv[], const char *usage, const struct option_row *own);
/* Print "tool: MESSAGE" and USAGE to stderr; exit with STATUS_USAGE. */
_Noreturn void option_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Return whether to print a report for people (-H or stdout is a terminal) instead of JSON lines. */
bool option_report(void);
/* Return whether -j was given. */
bool option_json(void);

/* Exit with STATUS_USAGE and a message naming OPTION unless TEXT is a number within [min, max]. */
int option_int(const char *option, const char *text, int min, int max);
double option_real(const char *option, const char *text, double min, double max);
/* Parse "56000", "512MB" or "57.2GB" (of 1024 MB) into MB within [min, max]. */
double option_megabytes(const char *option, const char *text, double min, double max);
/* Parse "5", "1-4", "1,2,4" or "1-3,8"; any order, each number within [min, max]. */
struct grid option_ranges(const char *option, const char *text, int min, int max);
/* Return the index of TEXT in NAMES (NULL-terminated). */
int option_choice(const char *option, const char *text, const char *const names[]);

#endif
