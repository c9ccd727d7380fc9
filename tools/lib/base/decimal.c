#include "decimal.h"

#include <float.h>
#include <stdlib.h>

#include "alloc.h"

enum { LEAST_DIGITS = 8 };

static char *
decimal(double x, int side)
{
	for (int digits = LEAST_DIGITS;; digits++) {
		char *text = xasprintf("%.*g", digits, x);
		double said = strtod(text, NULL);

		if (digits == DBL_DECIMAL_DIG || said == x || (said > x) == (side > 0))
			return text;
		free(text);
	}
}

char *
decimal_up(double x)
{
	return decimal(x, 1);
}

char *
decimal_down(double x)
{
	return decimal(x, -1);
}
