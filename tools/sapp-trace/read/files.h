/* Find timelines among operands and in directories. */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

struct file {
	char *path;
	char *table;	/* kernel_details.csv next to it; NULL: none */
};

struct files {
	int n;
	struct file *at;
};

/*
 * Add PATH; for a directory the timelines and tables of kernels in it by name, or if none, those below. Of a profiler's
 * run takes trace_view*.json or kernel_details.csv, not msprof*.json. Exits if there are none.
 */
void files_add(struct files *, const char *path);
/* Return whether it is a table and not a timeline, by name. */
bool file_is_table(const char *path);
void files_free(struct files *);

#endif
