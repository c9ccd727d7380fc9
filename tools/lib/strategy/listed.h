/* Listed: configurations of a table, the only ones of a space that are looked at. */
#ifndef LISTED_H
#define LISTED_H

#include "space.h"

struct listed_row {			/* a row of the table */
	struct place place;
	int value[DIMENSIONS];	/* -1: any */
	bool met;		/* a configuration of the space is like it */
};

/*
 * Read -only FILE.csv into the space: columns dp, tp, pp and others of its dimensions, under these names or Taylor's.
 * Without a column cp that is 1, without others any value is like a row's. Other columns are passed over. Exits naming
 * file and line if the table is not one of configurations.
 */
void listed_take(void *space, const char *option, char *path);
/* Is the configuration like a row? True without a table. Marks the row as met. */
bool listed_has(const struct space *, const struct configuration *);
/* Warn of rows that no configuration of the space is like. */
void listed_tell(const struct space *);

#endif
