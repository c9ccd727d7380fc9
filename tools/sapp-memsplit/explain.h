/* Explain which unknowns the measurements do not determine, and which further measurements would determine them. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdio.h>

#include "split.h"

/* Print the explanation, in several lines, of a split whose rank is below its number of unknowns. */
void explain(FILE *out, const struct split *);
/*
 * Return the ranges (MB) of the undetermined unknowns, which follow because none is negative; caller frees. Return ""
 * if more than one direction is undetermined.
 */
char *explain_range(const struct split *);

#endif
