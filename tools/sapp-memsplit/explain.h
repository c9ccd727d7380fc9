/* Explain: which unknowns the measurements cannot tell apart, and what to measure so that they can. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdio.h>

#include "split.h"

/* Several lines to OUT, for a split whose rank is less than its unknowns. */
void explain(FILE *out, const struct split *);

#endif
