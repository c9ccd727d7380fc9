/* Explain: which unknowns the measurements cannot tell apart, and what to measure so that they can. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdio.h>

#include "split.h"

/* Several lines to OUT, for a split whose rank is less than its unknowns. */
void explain(FILE *out, const struct split *);
/*
 * Of one whose unknowns but for one direction are determined: between which values, MB, those that are not may lie, as
 * none is negative; "": more is open. To be freed.
 */
char *explain_range(const struct split *);

#endif
