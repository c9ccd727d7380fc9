/* Numbers in order. */
#include "numbers.h"

#include <stdlib.h>

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
numbers_sort(double *at, size_t n)
{
	if (n > 0)
		qsort(at, n, sizeof *at, by_value);
}

double
numbers_median(double *at, size_t n)
{
	numbers_sort(at, n);
	return (at[(n - 1) / 2] + at[n / 2]) / 2;
}
