/* Numbers in order. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>

/* Ascending. */
void numbers_sort(double *at, size_t n);
/* The one in the middle, of an even number the mean of the two; sorts them, of which there is at least one. */
double numbers_median(double *at, size_t n);

#endif
