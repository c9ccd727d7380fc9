/* Edit a YAML file: set values and add entries where they belong in the text. */
#ifndef YAML_EDIT_H
#define YAML_EDIT_H

#include "lib/base/edit.h"
#include "lib/yaml/yaml.h"

/* Return the column of a byte in its line. */
int yaml_edit_column(const struct edits *, size_t at);
/* Return the line ending of the file. */
const char *yaml_edit_newline(const struct edits *);
/* Return the start of the line after a byte; a byte at a line start stays. */
size_t yaml_edit_next_line(const struct edits *, size_t at);
/* Return the start of a value after its anchor and tag. */
size_t yaml_edit_start(const struct edits *, struct yaml_span);
/* Get the last entry written in the map itself, including a '<<', or the entry NAME. Return false if none exists. */
bool yaml_edit_last(const struct yaml *map, const char *name, struct yaml_span *key, struct yaml_span *item);

/* Insert whole lines at a line start or at the end of the file. */
void yaml_edit_lines(struct edits *, size_t at, const char *lines);
/* Insert "KEY: TEXT" into a map after the entry AFTER (NULL: after the last). */
void yaml_edit_entry(struct edits *, const struct yaml *map, const char *after, const char *key, const char *text);
/* Set the value of entry I of a map, keeping comments. Exits if the entry was merged from a '<<'. */
void yaml_edit_value(struct edits *, const struct yaml *map, int i, const char *text);
/* Set the value of a key "a.b.c" of the file, called SOURCE in messages; create missing maps. */
void yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value);

#endif
