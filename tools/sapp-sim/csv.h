/* Blocks as comma-separated values. */
#ifndef CSV_H
#define CSV_H

#include "run.h"

/* Write a line per block, after the column names. */
void csv_write(const char *path, const struct sim_runs *);

#endif
