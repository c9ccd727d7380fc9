/* Edit: pieces of a text replaced, everything else kept to the byte. */
#ifndef EDIT_H
#define EDIT_H

#include <stdio.h>

struct edit {
	size_t start, end;	/* bytes of the old text; the same: an insertion */
	char *text;
};

struct edits {
	const char *text;	/* the old one, not owned */
	size_t length;
	size_t n;
	struct edit *at;
};

/* TEXT is taken over. Edits must not overlap; insertions at one place come in the order they were made. */
void edits_add(struct edits *, size_t start, size_t end, char *text);
/* The new text; to be freed. */
char *edits_apply(const struct edits *, size_t *new_length);
/* As "diff -u" prints it. */
void edits_diff(const struct edits *, const char *path, FILE *);
void edits_free(struct edits *);

#endif
