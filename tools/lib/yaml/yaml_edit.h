/*
 * Edits: pieces of a text replaced, and entries of a YAML put where people look for them; everything else is kept to
 * the byte.
 */
#ifndef YAML_EDIT_H
#define YAML_EDIT_H

#include "yaml.h"

struct edit {
	size_t start, end;	/* bytes of the old text; the same: an insertion */
	char *text;
};

struct edits {
	const char *text;	/* the old one */
	size_t length;
	size_t n;
	struct edit *at;
};

/* TEXT is taken over. Edits must not overlap; insertions at one place come in the order they were made. */
void edits_add(struct edits *, size_t start, size_t end, char *text);
/* The new text; to be freed. */
char *edits_apply(struct edits *, size_t *length);
void edits_free(struct edits *);

/* How far a byte is from the beginning of its line. */
int yaml_column(const char *text, size_t at);
/* How lines end. */
const char *yaml_newline(const struct edits *);
/* Behind the line of a byte; what ends there already stays where it is. */
size_t yaml_next_line(const struct edits *, size_t at);
/* Whole lines at a place where a line begins, or ends the file. */
void yaml_insert_lines(struct edits *, size_t at, const char *lines);
/* The last entry that is written in the map itself, NAME if it is one; -1: none. */
int yaml_last_written(const struct yaml *map, const char *name);
/*
 * "KEY: TEXT" into a map that has an entry or is in braces, behind the entry AFTER or the last one (NULL). TEXT that
 * begins with a line's end is a map below the key.
 */
void yaml_insert_entry(struct edits *, const struct yaml *map, const char *after, const char *key, const char *text);

#endif
