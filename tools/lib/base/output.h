/* Writing of stdout and of files, completely or not at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Flush and close stdout. If the disk is full, exit with STATUS_ERROR. Call last in main(). */
void stdout_close(void);

/*
 * A file that replaces PATH only when it is complete: a temporary file in the same directory is renamed. If the file
 * system allows it, the temporary file has no name until then, so that a killed program leaves nothing.
 *
 * The new file keeps owner, group, permissions, access control list and extended attributes. A file is refused if it is
 * read-only, has other hard links, or has an attribute that cannot be kept. Symbolic links are followed.
 */
struct output {
	FILE *file;
	char *path;
	char *temporary;	/* name of the temporary file; NULL: PATH is written directly */
	bool nameless;		/* the temporary file still has no name */
	int slot;
	const char *was;	/* content that PATH must still have; NULL: not checked */
	size_t was_length;
};

void output_open(struct output *, const char *path);	/* exit if the file cannot be created */
/* Let output_commit() exit if another program has changed PATH, so that it no longer has the content WAS. */
void output_expect(struct output *, const char *was, size_t length);
void output_commit(struct output *);	/* close, check and rename; on a failure, exit and leave PATH as it was */

#endif
