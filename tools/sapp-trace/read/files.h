/* Files: the timelines among the operands and in directories. */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

struct file {
	char *path;
	char *table;	/* kernel_details.csv next to the timeline; NULL: none */
};

struct files {
	int n;
	struct file *at;
};

/*
 * Add PATH. If it is a directory, add the timelines and tables of kernels in it, found by name; if it has none, those
 * in its subdirectories. Of a profiler's run, trace_view*.json and kernel_details.csv are added, not msprof*.json.
 * Exits if nothing is found.
 */
void files_add(struct files *, const char *path);
/* Return whether a file is a table and not a timeline, by its name. */
bool file_is_table(const char *path);
void files_free(struct files *);

#endif
