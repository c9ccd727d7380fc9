/* Explain which unknowns the measurements leave undetermined, and which further measurements would determine them. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdio.h>

#include "split.h"

/* Print the explanation, several lines, of a split with rank < unknowns. */
void explain(FILE *out, const struct split *);
/*
 * If only one direction is undetermined, return the ranges (MB) of the undetermined unknowns, as none is negative; ""
 * if more is open. Caller frees.
 */
char *explain_range(const struct split *);

#endif
