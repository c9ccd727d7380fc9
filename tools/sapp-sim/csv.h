/* Blocks as comma-separated values. */
#ifndef CSV_H
#define CSV_H

#include "run.h"

/* A file with one line a block and the names of the columns above. */
void csv_write(const char *path, const struct runs *);

#endif
