/* Bag: settings by name from any source, with their places, and whether they were used. */
#ifndef BAG_H
#define BAG_H

#include <stdbool.h>

#include "lib/yaml/yaml.h"

struct setting {
	char *name;
	char *text;		/* NULL: a list or a map */
	char *why;		/* why its value is unknown; NULL: known */
	struct place place;
	const struct yaml *node;	/* NULL: not from a YAML */
	bool used;
};

struct bag {
	int n;
	struct setting *at;
	struct place place;	/* of the file */
};

/* A later setting replaces an earlier one of the same name. */
void bag_put(struct bag *, const char *name, const char *text, struct place);
/* Add a setting with an unknown value: asking for it exits with WHY. Takes ownership of WHY. */
void bag_put_unknown(struct bag *, const char *name, char *why, struct place);
/* Add the entries of a map except null ones. */
void bag_put_map(struct bag *, const struct yaml *map);
void bag_free(struct bag *);

/*
 * Find the first existing setting among NAMES, separated by '|', and mark all NAMES as used. Return NULL if none
 * exists. Exits, naming the place, if the value has the wrong type or range.
 */
const struct setting *bag_find(struct bag *, const char *names);
bool bag_int(struct bag *, const char *names, int min, int *value);
bool bag_real(struct bag *, const char *names, double *value);
bool bag_bool(struct bag *, const char *names, bool *value);
const char *bag_text(struct bag *, const char *names);	/* NULL: absent */

#endif
