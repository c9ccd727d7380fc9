/*
 * Read peaks from profiler tables of memory over time: memory_record.csv, operator_memory.csv and npu_module_mem.csv of
 * torch_npu.
 */
#ifndef PEAKTABLE_H
#define PEAKTABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"

/* Return the kind of table by its file name, from 0, better kinds first; -1 if it is not such a table. */
int peaktable_kind(const char *name);
/* Read the maximum MB allocated and reserved in PATH; 0 if absent. Exits if the file is not such a table. */
void peaktable_read(const char *path, double *allocated, double *reserved);
/* Do the same with an open file of a KIND. */
void peaktable_rows(FILE *, int kind, struct place, double *allocated, double *reserved);

#endif
