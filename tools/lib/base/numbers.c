#include "numbers.h"

#include <stdlib.h>

#include "lib/base/sorted.h"

ORDER_BY(by_value, double, *it)

void
numbers_sort(double *at, size_t n)
{
	SORT(at, n, by_value);
}

double
numbers_median(double *at, size_t n)
{
	numbers_sort(at, n);
	return (at[(n - 1) / 2] + at[n / 2]) / 2;
}
