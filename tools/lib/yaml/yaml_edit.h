/* Changes of a YAML file: values are set and entries added where they belong, and every other byte is kept. */
#ifndef YAML_EDIT_H
#define YAML_EDIT_H

#include "lib/yaml/yaml.h"

/*
 * Set the value of entry I of MAP, as parsed from *TEXT, unless it is equal already. If I is negative, or the entry was
 * merged by a '<<', add KEY after the last entry. An anchor stays, with a warning about its aliases, which change also.
 * Exit if the key is duplicate. Afterwards MAP no longer describes the text.
 */
void yaml_edit_entry(char **text, size_t *length, const struct yaml *map, int i, const char *key, const char *value);
/*
 * Set the value of a key such as "a.b.c". SOURCE: name of the file in messages. Create maps that are missing. Exit if
 * one of the maps is an alias, since the other places that share it would change also.
 */
void yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value);

#endif
