/* Which files are timelines: operands as they are, and what a directory holds. */
#ifndef FILES_H
#define FILES_H

struct files {
	int n;
	char **at;
};

/*
 * Add PATH; of a directory the timelines in it, by name, or, if there is none, those below it: where
 * a profiler wrote trace_view*.json, not its msprof*.json of the same run. Exits when there is none.
 */
void files_add(struct files *, const char *path);
void files_free(struct files *);

#endif
