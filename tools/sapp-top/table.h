/* Write kept estimates as records, CSV or a table. */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include <stdio.h>

#include "lib/record/prediction.h"

/* An estimate and its candidate, as read. */
struct kept_candidate {
	char *candidate, *estimate;	/* candidate NULL: none preceded it */
};

/* Parse the estimate again; it was valid when kept. */
struct prediction table_parse(const struct kept_candidate *);
void table_records(FILE *, const struct kept_candidate *const *, size_t n);
void table_csv(FILE *, const struct kept_candidate *const *, size_t n);
void table_report(FILE *, const struct kept_candidate *const *, size_t n);

#endif
