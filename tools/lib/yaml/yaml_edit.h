/* Edits of a YAML file: values and entries put where they are written, or would be. */
#ifndef YAML_EDIT_H
#define YAML_EDIT_H

#include "lib/base/edit.h"
#include "lib/yaml/yaml.h"

/* How far a byte is from the beginning of its line. */
int yaml_edit_column(const struct edits *, size_t at);
/* How the file ends its lines. */
const char *yaml_edit_newline(const struct edits *);
/* Behind the line of a byte; what ends there already stays where it is. */
size_t yaml_edit_next_line(const struct edits *, size_t at);
/* Behind the anchor and the tag, which stay. */
size_t yaml_edit_start(const struct edits *, struct yaml_span);
/*
 * Where the last entry that is written in the map itself is, a '<<' counted, or NAME if it is one; false: nothing is
 * written there.
 */
bool yaml_edit_last(const struct yaml *map, const char *name, struct yaml_span *key, struct yaml_span *item);

/* Whole lines, put where a line begins or the file ends. */
void yaml_edit_lines(struct edits *, size_t at, const char *lines);
/* "KEY: TEXT" into a map that is there, behind the entry AFTER or the last one (NULL). */
void yaml_edit_entry(struct edits *, const struct yaml *map, const char *after, const char *key, const char *text);
/* TEXT as the value of entry I of a map; comments stay. Exits where the value came with a '<<'. */
void yaml_edit_value(struct edits *, const struct yaml *map, int i, const char *text);
/* The value of a key "a.b.c" of the file, called SOURCE in messages; maps that are missing are made. */
void yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value);

#endif
