/* Write stdout and files completely or not at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Flush and close stdout; a full disk ends the program with STATUS_ERROR. Call last in main(). */
void stdout_close(void);

/*
 * A file that replaces PATH only when complete: a temporary file in the same directory, then a rename. If the file
 * system allows it, the temporary file has no name until it is complete, so that a killed program leaves nothing. The
 * new file keeps owner, group, permissions, access control list and extended attributes. Refuses files that are
 * read-only, have other hard links, or have an attribute that cannot be kept. Follows symbolic links.
 */
struct output {
	FILE *file;
	char *path;
	char *temporary;	/* NULL: PATH is written directly */
	bool nameless;		/* the temporary file has no name yet */
	int slot;
	const char *was;	/* expected content of PATH; NULL: unchecked */
	size_t was_length;
};

void output_open(struct output *, const char *path);	/* exits if it cannot be created */
/* Make output_commit() exit if PATH no longer contains WAS because another program has written it. */
void output_expect(struct output *, const char *was, size_t length);
void output_commit(struct output *);	/* close, check, rename; exits on failure, leaving PATH as it was */

#endif
