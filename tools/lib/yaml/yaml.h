/* A configuration YAML as a tree with line numbers. Limits depth, nodes and aliases. */
#ifndef YAML_TREE_H
#define YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"

enum yaml_type { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_span {		/* bytes of the file; 0, 0: merged from a '<<' */
	size_t start, end;
};

struct yaml {
	enum yaml_type type;
	struct place place;
	struct yaml_span span;	/* includes anchor and tag; a block list or map ends after its last entry */
	bool flow;		/* a list or map in brackets */
	bool anchored;
	/*
	 * scalar, quoted or not. Whole numbers of YAML 1.1 (040, 0x20, 0b100000, 3_2, 1:30) become decimal digits, as
	 * PyYAML loads them
	 */
	char *text;
	bool quoted;		/* quoted scalars are always strings */
	int n;			/* entries of a list or map */
	struct yaml **item;	/* shared between aliases */
	struct yaml_span *item_span;	/* the entry as written, an alias itself included */
	char **key;		/* map */
	struct place *key_place;	/* map */
	struct yaml_span *key_span;	/* map */
	struct yaml_span merge_key, merge_item;	/* map: its last '<<', not counted as an entry; 0, 0: none */
	int repeats;		/* map: number of duplicate keys */
	char **repeated;
};

/* Read the file PATH ("-": stdin) with a single document. Exits with path:line on errors. */
struct yaml *yaml_read(const char *path);
/* Do the same from memory, called SOURCE in messages. */
struct yaml *yaml_parse(const char *text, size_t length, const char *source);
/* Do the same, but accept duplicate keys, of which the last counts, as YAML loaders do. */
struct yaml *yaml_parse_loaded(const char *text, size_t length, const char *source, bool warn);
void yaml_release(struct yaml *);	/* yaml_free() belongs to libyaml */

/* Return the text of a file as yaml_read() reads it; caller frees. */
char *yaml_slurp(const char *path, size_t *length);

/* Return the value of KEY, or NULL; MAP may be NULL. Exits if MAP is not a map. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
int yaml_find(const struct yaml *map, const char *key);	/* index of the entry, or -1 */
/* Return the value of KEY; exit if it is missing. */
const struct yaml *yaml_need(const struct yaml *map, const char *key);
/* Exit on the first key not in KEYS (NULL-terminated), naming its line and the known keys. */
void yaml_known(const struct yaml *map, const char *const keys[]);

/* Convert a value; exit with "path:line: KEY: expected ... 'text'" if it has another type. */
int yaml_int(const struct yaml *node, const char *key, int min, int max);
double yaml_real(const struct yaml *node, const char *key, double min, double max);
bool yaml_bool(const struct yaml *node, const char *key);	/* true false yes no on off, any case */
const char *yaml_string(const struct yaml *node, const char *key);
bool yaml_is_bool(const struct yaml *node);
bool yaml_is_null(const struct yaml *node);

#endif
