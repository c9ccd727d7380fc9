/* Sorting of numbers, and medians. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>

void numbers_sort(double *at, size_t n);
/* Sort AT, N > 0 numbers, and return the median. For an even N it is the mean of the two in the middle. */
double numbers_median(double *at, size_t n);

#endif
