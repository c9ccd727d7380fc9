/* The installed cluster records: a list for people, and a record to edit. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <stdio.h>

/* Write a line for each installed record: name, devices per node, memory, use, and reliability. */
void clusters_list(FILE *out);
/*
 * Write a cluster record to be edited: that of the installed cluster NAME, or of a file, with the name "mine" and
 * marked as borrowed figures. Exits if NAME does not exist.
 */
void clusters_template(FILE *out, const char *name);

#endif
