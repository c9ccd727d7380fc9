/* Settings by name, from any source. Each has its place, and whether it was used. */
#ifndef BAG_H
#define BAG_H

#include <stdbool.h>

#include "lib/yaml/yaml.h"

struct setting {
	char *name;
	char *text;		/* NULL: the value is a list or a map */
	char *why;		/* why the value is unknown; NULL: it is known */
	struct place place;
	const struct yaml *node;	/* NULL: the setting does not come from a YAML */
	bool used;
};

struct bag {
	int n;
	struct setting *at;
	struct place place;	/* place of the file */
};

/* Add a setting. It replaces an earlier one of the same name. */
void bag_put(struct bag *, const char *name, const char *text, struct place);
/* Add a setting whose value is unknown. If anything asks for it, the program exits with WHY. Takes ownership of WHY. */
void bag_put_unknown(struct bag *, const char *name, char *why, struct place);
/* Add the entries of a map that are not null. */
void bag_put_map(struct bag *, const struct yaml *map);
void bag_free(struct bag *);

/*
 * Find the first of NAMES, which '|' separates, that is in the bag. Mark all NAMES as used. Return NULL if none is in
 * the bag. Exit if the value is unknown. bag_int(), bag_real() and bag_bool() also exit, naming the place, if the value
 * has the wrong type or range.
 */
const struct setting *bag_find(struct bag *, const char *names);
bool bag_int(struct bag *, const char *names, int min, int *value);
bool bag_real(struct bag *, const char *names, double *value);
bool bag_bool(struct bag *, const char *names, bool *value);
/* Return whether a flag is on: it exists, and its value is neither false nor 0. */
bool bag_flag(struct bag *, const char *names);
const char *bag_text(struct bag *, const char *names);	/* NULL: absent */

#endif
