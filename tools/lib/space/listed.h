/* Restrict a space of configurations to those listed in a table. */
#ifndef LISTED_H
#define LISTED_H

#include "space.h"

struct listed_row {			/* a row of the table */
	struct place place;
	int value[DIMENSIONS];	/* -1: any */
	bool met;		/* the row matches a configuration of the space */
};

/*
 * Read -only FILE.csv into the space. Columns are dp, tp, pp and other dimensions, under these names or Taylor's.
 * Without a column cp, cp is 1. Any value matches a missing column. Unknown columns are ignored. Exit, naming file and
 * line, if the table has no configurations.
 */
void listed_take(void *space, const char *option, char *path);
/* Return whether the configuration matches a row, and mark that row. Return true if no table was read. */
bool listed_has(const struct space *, const struct configuration *);
/* Warn about rows that match no configuration of the space. */
void listed_tell(const struct space *);

#endif
