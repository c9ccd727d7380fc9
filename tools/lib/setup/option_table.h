/* The names of arguments in both dialects. Private to the launch's own files. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "launch.h"

struct launch_row {
	const char *flag;	/* of a command */
	const char *key;	/* of NeMo's model configuration; NULL: it has none */
	enum { ONE_WORD, NO_WORD, WORDS, LISTS } takes;	/* LISTS: words that are lists of numbers */
};
extern const struct launch_row launch_rows[LAUNCH_OPTIONS];

#endif
