/*
 * Peaks out of tables that profilers write of memory over time: memory_record.csv, operator_memory.csv and
 * npu_module_mem.csv of torch_npu.
 */
#ifndef PEAKTABLE_H
#define PEAKTABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"

/* Is the file called like one?  Which: the better one has the smaller number, from 0; -1: it is none. */
int peaktable_kind(const char *name);
/* Most allocated and reserved in PATH, MB; 0 where it does not say. Exits when it is no such table. */
void peaktable_read(const char *path, double *allocated, double *reserved);
/* The same of a file that is open, of a KIND. */
void peaktable_rows(FILE *, int kind, struct place, double *allocated, double *reserved);

#endif
