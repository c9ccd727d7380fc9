/* Option: the command line, numbers with a range, and the options that every tool has. */
#ifndef OPTION_H
#define OPTION_H

#include <getopt.h>
#include <stdbool.h>

#include "lib/record/table.h"

/* -h -V -v -j -H, to be put into every tool's table of options. */
enum { OPTION_HELP = 0x1000, OPTION_VERSION, OPTION_VERBOSE, OPTION_JSON, OPTION_REPORT };
#define OPTION_COMMON \
	{ "h", no_argument, NULL, OPTION_HELP }, { "help", no_argument, NULL, OPTION_HELP }, \
	{ "V", no_argument, NULL, OPTION_VERSION }, { "version", no_argument, NULL, OPTION_VERSION }, \
	{ "v", no_argument, NULL, OPTION_VERBOSE }, { "j", no_argument, NULL, OPTION_JSON }, \
	{ "H", no_argument, NULL, OPTION_REPORT }

extern bool option_verbose;	/* -v */

/*
 * The next option of the tool's own (its val), or -1 after the last. Common options are
 * handled here: -h prints USAGE and exits 0; an unknown option prints it to stderr and exits 2.
 */
int option_next(int argc, char *argv[], const char *usage, const struct option *own);
/* Print "tool: MESSAGE" and USAGE to stderr, exit STATUS_USAGE. */
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
