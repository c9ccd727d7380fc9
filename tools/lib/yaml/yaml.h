/*
 * Configuration YAML as a tree that knows its lines. Limits on depth, nodes and aliases, with a clear
 * error.
 */
#ifndef YAML_TREE_H
#define YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"

enum yaml_type { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_span {		/* bytes of the file; 0, 0: not written there, it came with a '<<' */
	size_t start, end;
};

struct yaml {
	enum yaml_type type;
	struct place place;
	struct yaml_span span;	/* anchor and tag included; a block list or map ends behind its last entry */
	bool flow;		/* a list or map in brackets */
	bool anchored;
	char *text;		/* scalar; also set when quoted; of 040, 0x20, 0b100000, 3_2 and 1:30, whole numbers
				   of YAML 1.1, the decimal digits, as PyYAML loads them */
	bool quoted;		/* a quoted scalar is a string, whatever it looks like */
	int n;			/* entries of a list or map */
	struct yaml **item;	/* shared where the file has an alias */
	struct yaml_span *item_span;	/* as the entry is written: the alias, where it is one */
	char **key;		/* map */
	struct place *key_place;	/* map */
	struct yaml_span *key_span;	/* map */
	struct yaml_span merge_key, merge_item;	/* map: its last '<<', which is no entry; 0, 0: there is none */
	int repeats;		/* map: keys that stood there more than once */
	char **repeated;
};

/* The only document of the file PATH ("-": stdin); exits with path:line: what is wrong. */
struct yaml *yaml_read(const char *path);
/* The same from memory, called SOURCE in messages. */
struct yaml *yaml_parse(const char *text, size_t length, const char *source);
/* As loaders take it: of entries with the same key the last counts. */
struct yaml *yaml_parse_loaded(const char *text, size_t length, const char *source, bool warn);
void yaml_release(struct yaml *);	/* yaml_free() is libyaml's own */

/* The text of a file with nothing behind it, as yaml_read() would take it; to be freed. */
char *yaml_slurp(const char *path, size_t *length);

/* The value of KEY, or NULL; MAP may be NULL. A node that is not a map is an error. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
int yaml_find(const struct yaml *map, const char *key);	/* its entry, or -1 */
/* The same, but a missing KEY is an error. */
const struct yaml *yaml_need(const struct yaml *map, const char *key);
/* Exit on the first key that is not in KEYS (ended by NULL), naming its line and the known ones. */
void yaml_known(const struct yaml *map, const char *const keys[]);

/* Typed values; exit with path:line: KEY: what was expected 'text'. */
int yaml_int(const struct yaml *node, const char *key, int min, int max);
double yaml_real(const struct yaml *node, const char *key, double min, double max);
bool yaml_bool(const struct yaml *node, const char *key);	/* true false yes no on off, any case */
const char *yaml_string(const struct yaml *node, const char *key);
bool yaml_is_bool(const struct yaml *node);
bool yaml_is_null(const struct yaml *node);

#endif
