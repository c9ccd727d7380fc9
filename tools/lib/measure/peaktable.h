/*
 * Read peaks from profilers' tables of memory over time: memory_record.csv, operator_memory.csv and npu_module_mem.csv
 * of torch_npu.
 */
#ifndef PEAKTABLE_H
#define PEAKTABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"

/*
 * Return the kind of a table from the name of its file; -1: not such a table. Better kinds have lower numbers, from 0.
 */
int peaktable_kind(const char *name);
/*
 * Read the maximum MB allocated and reserved from the table at PATH; 0: absent. Exit if the file is not such a table.
 */
void peaktable_read(const char *path, double *allocated, double *reserved);
/* Read both maxima from an open file, a table of KIND. */
void peaktable_rows(FILE *, int kind, struct place, double *allocated, double *reserved);

#endif
