/* Names of arguments in all dialects. Private to the launch's files. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "launch.h"

struct launch_row {
	const char *flag;	/* argument of a command */
	const char *key;	/* key of NeMo's model configuration; NULL: none */
	enum { ONE_WORD, NO_WORD, WORDS, LISTS } takes;	/* LISTS: words with lists of numbers */
};
extern const struct launch_row launch_rows[LAUNCH_OPTIONS];

#endif
