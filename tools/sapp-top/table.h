/* Table: write the estimates that are kept, as records, CSV or a table. */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include <stdio.h>

#include "lib/record/prediction.h"

/* An estimate and its candidate, as they were read. */
struct kept_candidate {
	char *candidate, *estimate;	/* candidate NULL: no candidate preceded the estimate */
};

/* Parse the estimate again. It was valid when it was kept. */
struct prediction table_parse(const struct kept_candidate *);
void table_records(FILE *, const struct kept_candidate *const *, size_t n);
void table_csv(FILE *, const struct kept_candidate *const *, size_t n);
void table_report(FILE *, const struct kept_candidate *const *, size_t n);

#endif
