/* Kept estimates as records, as CSV and as a table for people. */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include <stdio.h>

#include "front.h"
#include "lib/record/prediction.h"

/* The estimate that is kept: it was read before, so it can be read again. */
struct prediction table_parse(const struct kept *);
void table_records(FILE *, const struct kept *const *, size_t n);
void table_csv(FILE *, const struct kept *const *, size_t n);
void table_report(FILE *, const struct kept *const *, size_t n);

#endif
