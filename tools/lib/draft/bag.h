/*
 * Bags of settings: values by their names, wherever they were read, which say where they stand and whether they
 * were used.
 */
#ifndef BAG_H
#define BAG_H

#include <stdbool.h>

#include "lib/yaml/yaml.h"

struct setting {
	char *name;
	char *text;		/* NULL: a list or a map */
	char *why;		/* why its value is not known; NULL: it is */
	struct place place;
	const struct yaml *node;	/* NULL: not of a YAML */
	bool used;
};

struct bag {
	int n;
	struct setting *at;
	struct place place;	/* of the file */
};

/* A later setting takes the place of an earlier one of its name. */
void bag_put(struct bag *, const char *name, const char *text, struct place);
/* A setting that is there, but not its value: who asks for it ends with WHY, which is taken over. */
void bag_put_unknown(struct bag *, const char *name, char *why, struct place);
/* The entries of a map; those that are null are left out. */
void bag_put_map(struct bag *, const struct yaml *map);
void bag_free(struct bag *);

/*
 * The first setting there is of NAMES, which are divided by '|', and true; all of them count as used. Exit naming
 * the place where it is nothing of the kind, not even of the range.
 */
const struct setting *bag_find(struct bag *, const char *names);
bool bag_int(struct bag *, const char *names, int min, int *value);
bool bag_real(struct bag *, const char *names, double *value);
bool bag_bool(struct bag *, const char *names, bool *value);
const char *bag_text(struct bag *, const char *names);	/* NULL: not there */

#endif
