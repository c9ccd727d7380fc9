/* Replace parts of a text, and keep every other byte. */
#ifndef EDIT_H
#define EDIT_H

#include <stddef.h>

struct edit {
	size_t start, end;	/* bytes of the old text that are replaced; start == end: an insertion */
	char *text;
};

struct edits {
	const char *text;	/* old text, not owned */
	size_t length;
	size_t n;
	struct edit *at;
};

/*
 * Add an edit. Takes ownership of TEXT. Edits must not overlap. Insertions at the same byte appear in the order in
 * which they are added.
 */
void edits_add(struct edits *, size_t start, size_t end, char *text);
/* Return the new text. Caller frees. */
char *edits_apply(const struct edits *, size_t *new_length);
void edits_free(struct edits *);

#endif
