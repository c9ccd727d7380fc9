/* Listed: restrict a space to the configurations of a table. */
#ifndef LISTED_H
#define LISTED_H

#include "space.h"

struct listed_row {			/* a row of the table */
	struct place place;
	int value[DIMENSIONS];	/* -1: any */
	bool met;		/* matches a configuration of the space */
};

/*
 * Read -only FILE.csv into the space: columns dp, tp, pp and other dimensions, under these names or Taylor's. Missing
 * cp means 1; other missing columns match any value; unknown columns are ignored. Exits, naming file and line, if the
 * table has no configurations.
 */
void listed_take(void *space, const char *option, char *path);
/* Return whether the configuration matches a row, and mark the row; true without a table. */
bool listed_has(const struct space *, const struct configuration *);
/* Warn about rows that match no configuration of the space. */
void listed_tell(const struct space *);

#endif
