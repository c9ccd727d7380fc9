/* Sort numbers; medians. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>

void numbers_sort(double *at, size_t n);
/* Sort AT (N > 0) and return its median; for an even N the mean of the middle two. */
double numbers_median(double *at, size_t n);

#endif
