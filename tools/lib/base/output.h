/* Output: stdout and files that are complete or, where writing fails, not there at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/* Flush and close stdout; a full disk ends the program with STATUS_ERROR. Call last in main(). */
void stdout_close(void);

/*
 * A file that replaces PATH only when it is complete: written beside it, then renamed. It keeps owner, group,
 * permissions, access control list and extended attributes; one that is read-only, has other hard links, or cannot keep
 * one of these, is refused. Links are followed.
 */
struct output {
	FILE *file;
	char *path;
	char *temporary;
	const char *was;	/* what the file has had since it was read; NULL: nobody asks */
	size_t was_length;
};

void output_open(struct output *, const char *path);	/* exits when it cannot be made */
/* Exit on the way to commit where the file is not what it WAS when it was read, for another program has written it. */
void output_expect(struct output *, const char *was, size_t length);
void output_commit(struct output *);	/* close, check, rename; exits on failure, leaving PATH as it was */

#endif
