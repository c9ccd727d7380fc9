/* Parsing of the command line by a table of options. Handles the options that all tools have. */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>

#include "table.h"

/*
 * One option: its line in -h, and its variable. Exactly one of the pointers is not NULL; it determines the type of the
 * argument. A table ends with { 0 }.
 */
struct option_row {
	const char *name;	/* "mem" is -mem and --mem */
	const char *argument;	/* as -h shows it, such as "MB[,MB...]"; NULL: no argument */
	const char *what;
	bool *flag;		/* set to true; the option has no argument */
	const char **text;
	struct texts *texts;	/* each use of the option appends a text */
	int *whole;		/* from min to max, as for all numbers */
	double *real;
	struct grid *ranges;	/* parsed by option_ranges() */
	struct list *list;	/* one number, or several separated by commas */
	double min, max;
	bool megabytes;		/* real and list are in MB, unless the argument has a unit */
	/* an int or enum, set to the index of the argument in names; if the option has no argument, to value */
	void *choice;
	bool *marks;		/* the argument is a list of names; sets [index] for each */
	const char *const *names;
	int value;
	void (*take)(void *into, const char *option, char *argument);	/* called with INTO; OPTION includes its dash */
	void *into;
};

extern bool option_verbose;

/*
 * Parse all options and return the operands, NULL-terminated. USAGE: the tool's forms and an example, each on a line of
 * its own. OWN: the tool's options; -h -V -v -j -H are added.
 *
 * -h prints USAGE and a line for each option, and exits with status 0. An unknown option or an invalid argument prints
 * a message to stderr and exits with status 2.
 */
char **options_take(int argc, char *argv[], const char *usage, const struct option_row *own);
/* Print "tool: MESSAGE" and USAGE to stderr, and exit with STATUS_USAGE. */
_Noreturn void option_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Return whether to print a report for people instead of JSON lines: with -H, or if stdout is a terminal. */
bool option_report(void);
/* Return whether -j was given. */
bool option_json(void);

/* Return the number in TEXT. Exit with STATUS_USAGE, naming OPTION, unless it is a number from MIN to MAX. */
int option_int(const char *option, const char *text, int min, int max);
double option_real(const char *option, const char *text, double min, double max);
/* Return the MB in "56000", "512MB" or "57.2GB" (1 GB is 1024 MB). Exit unless they are from MIN to MAX. */
double option_megabytes(const char *option, const char *text, double min, double max);
/* Return the numbers in "5", "1-4", "1,2,4" or "1-3,8", in any order. Exit unless each is from MIN to MAX. */
struct grid option_ranges(const char *option, const char *text, int min, int max);
/* Return the index of TEXT in NAMES (NULL-terminated). Exit if it is not there. */
int option_choice(const char *option, const char *text, const char *const names[]);

#endif
