/* The cluster records that are installed: a list for people, and one to edit. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <stdio.h>

/* Write a line for each installed record: its name, devices of a node, memory, what it is for, how far to trust it. */
void clusters_list(FILE *out);
/*
 * Write the record of the installed cluster NAME, or of a file, with the name "mine" and as one of borrowed figures;
 * exits if there is none.
 */
void clusters_template(FILE *out, const char *name);

#endif
