/* Which files are timelines: operands as they are, and what a directory holds. */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

struct file {
	char *path;
	char *table;	/* kernel_details.csv beside it; NULL: none */
};

struct files {
	int n;
	struct file *at;
};

/*
 * Add PATH; of a directory the timelines and tables of kernels in it, by name, or, if there is none, those below it:
 * where a profiler wrote trace_view*.json or kernel_details.csv, not its msprof*.json of the same run. Exits when there
 * is none.
 */
void files_add(struct files *, const char *path);
/* Is it a table rather than a timeline, by its name? */
bool file_is_table(const char *path);
void files_free(struct files *);

#endif
