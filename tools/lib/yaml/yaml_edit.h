/* Edit a YAML file: set values and add entries where they belong in the text, and keep every other byte. */
#ifndef YAML_EDIT_H
#define YAML_EDIT_H

#include "lib/yaml/yaml.h"

/*
 * Set the value of entry I of a MAP parsed from *TEXT, unless it is equal already. If I is negative or the entry was
 * merged from a '<<', add KEY after the last entry. An anchor stays: warns about its aliases, which change also. Exits
 * if the key is duplicate. MAP does not describe the new text.
 */
void yaml_edit_entry(char **text, size_t *length, const struct yaml *map, int i, const char *key, const char *value);
/*
 * Set the value of a key "a.b.c" of the file, called SOURCE in messages; create missing maps. Exits if a map on the way
 * is an alias, as its other places would change also.
 */
void yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value);

#endif
