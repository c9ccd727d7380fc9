/* The names of arguments in all dialects. Only the files of launch include this. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "launch.h"

struct launch_row {
	const char *flag;	/* argument of a command, such as "--num-layers" */
	const char *key;	/* key in NeMo's model configuration; NULL: none */
	/* what follows the argument; LISTS: words with lists of numbers */
	enum { ONE_WORD, NO_WORD, WORDS, LISTS } takes;
};
extern const struct launch_row launch_rows[LAUNCH_OPTIONS];

#endif
