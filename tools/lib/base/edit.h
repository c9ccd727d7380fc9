/* Replace pieces of a text and keep every other byte. */
#ifndef EDIT_H
#define EDIT_H

#include <stddef.h>

struct edit {
	size_t start, end;	/* bytes of the old text; equal: an insertion */
	char *text;
};

struct edits {
	const char *text;	/* the old text, not owned */
	size_t length;
	size_t n;
	struct edit *at;
};

/* Takes ownership of TEXT. Edits must not overlap; insertions at one place appear in the order they were added. */
void edits_add(struct edits *, size_t start, size_t end, char *text);
/* Return the new text; caller frees. */
char *edits_apply(const struct edits *, size_t *new_length);
void edits_free(struct edits *);

#endif
