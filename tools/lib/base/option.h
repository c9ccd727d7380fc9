/* Option: the command line, numbers with a range, and the options that every tool has. */
#ifndef OPTION_H
#define OPTION_H

#include <getopt.h>
#include <stdbool.h>

#include "lib/field/table.h"

/* One option: what is taken from the command line, and its line of -h. A table ends with { 0 }. */
struct option_row {
	const char *name;	/* "mem" for -mem and --mem */
	const char *argument;	/* as -h shows it, "MB[,MB...]"; NULL: it takes none */
	int value;		/* what option_next() returns */
	const char *what;	/* NULL: another spelling, which -h leaves out */
};

/* -h -V -v -j -H, to be put into every tool's table of options. */
enum { OPTION_HELP = 0x1000, OPTION_VERSION, OPTION_VERBOSE, OPTION_JSON, OPTION_REPORT };
#define OPTION_COMMON \
	{ "h", NULL, OPTION_HELP, "this" }, { "help", NULL, OPTION_HELP, NULL }, \
	{ "V", NULL, OPTION_VERSION, "the version" }, { "version", NULL, OPTION_VERSION, NULL }, \
	{ "v", NULL, OPTION_VERBOSE, "say more on standard error" }, \
	{ "j", NULL, OPTION_JSON, "records, also on a terminal" }, \
	{ "H", NULL, OPTION_REPORT, "a report for people, where the tool has one, also into a file" }

extern bool option_verbose;	/* -v */

/*
 * The next option of the tool's own (its value), its argument in optarg, or -1 after the last. USAGE has the tool's
 * forms and an example, each line ended. Common options are handled here: -h prints USAGE and a line for each option,
 * and exits 0; an unknown option is told to stderr, then USAGE, exit 2.
 */
int option_next(int argc, char *argv[], const char *usage, const struct option_row *own);
/* Print "tool: MESSAGE", then USAGE, to stderr, exit STATUS_USAGE. */
_Noreturn void option_usage(const char *usage, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A report for people (stdout is a terminal, or -H) rather than JSON lines. */
bool option_report(void);
/* Records, because -j asks for them. */
bool option_json(void);

/* Exit with STATUS_USAGE and a message naming OPTION unless TEXT is a number within [min, max]. */
int option_int(const char *option, const char *text, int min, int max);
double option_real(const char *option, const char *text, double min, double max);
/* "5", "1-4", "1,2,4", "1-3,8": ascending order not required, each within [min, max]. */
struct grid option_ranges(const char *option, const char *text, int min, int max);
/* "56000" or "50000,56000,...": one number, or several divided by commas. */
struct list option_list(const char *option, const char *text, double min, double max);
/* TEXT's position in NAMES (ended by NULL). */
int option_choice(const char *option, const char *text, const char *const names[]);

#endif
