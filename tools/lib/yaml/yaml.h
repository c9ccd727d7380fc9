/* A YAML file as a tree whose nodes have line numbers. Depth, nodes and aliases are limited. */
#ifndef YAML_TREE_H
#define YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"

enum yaml_type { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_span {		/* bytes of the file; 0, 0: the entry was merged by a '<<' */
	size_t start, end;
};

struct yaml {
	enum yaml_type type;
	struct place place;
	struct yaml_span span;	/* includes anchor and tag; a list or map in block form ends after its last entry */
	bool flow;		/* a list or map in brackets or braces */
	bool anchored;
	/*
	 * text of a scalar, quoted or not. Whole numbers in other notations of YAML 1.1 (040, 0x20, 0b100000, 3_2,
	 * 1:30) become decimal digits, as PyYAML loads them.
	 */
	char *text;
	bool quoted;		/* a quoted scalar is always a string */
	int n;			/* number of entries of a list or map */
	struct yaml **item;	/* [n], values; several entries may share one through aliases */
	struct yaml_span *item_span;	/* [n], the values as written; of an alias, the alias */
	char **key;		/* map: [n] */
	struct place *key_place;	/* map: [n] */
	struct yaml_span *key_span;	/* map: [n] */
	struct yaml_span merge_key, merge_item;	/* map: its last '<<', not counted as an entry; 0, 0: none */
	int repeats;		/* map: number of duplicate keys */
	char **repeated;
};

/* Read PATH ("-": stdin), a file with one document. Exit with path:line if it is invalid. */
struct yaml *yaml_read(const char *path);
/* Read TEXT, which messages call SOURCE. */
struct yaml *yaml_parse(const char *text, size_t length, const char *source);
/*
 * Read TEXT, which messages call SOURCE, and accept duplicate keys. As in YAML loaders, the last of them counts. WARN:
 * warn about them.
 */
struct yaml *yaml_parse_loaded(const char *text, size_t length, const char *source, bool warn);
void yaml_release(struct yaml *);	/* not yaml_free(), which belongs to libyaml */

/* Return the text of a file that yaml_read() would read. Caller frees. */
char *yaml_slurp(const char *path, size_t *length);

/* Return the value of KEY, or NULL. MAP may be NULL. Exit if it is not a map. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
int yaml_find(const struct yaml *map, const char *key);	/* index of the entry; -1: none */
/* Return the value of KEY. Exit if MAP does not have KEY. */
const struct yaml *yaml_need(const struct yaml *map, const char *key);
/* Exit if a key is not in KEYS (NULL-terminated). The message names its line and the known keys. */
void yaml_known(const struct yaml *map, const char *const keys[]);

/*
 * Convert the value of KEY. Exit with "path:line: KEY: expected ... 'text'" if it has another type or is out of range.
 */
int yaml_int(const struct yaml *node, const char *key, int min, int max);
double yaml_real(const struct yaml *node, const char *key, double min, double max);
bool yaml_bool(const struct yaml *node, const char *key);	/* true, false, yes, no, on, off, in any case */
const char *yaml_string(const struct yaml *node, const char *key);
bool yaml_is_bool(const struct yaml *node);
bool yaml_is_null(const struct yaml *node);

#endif
