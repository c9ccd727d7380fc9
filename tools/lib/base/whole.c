#include "whole.h"

#include <stdlib.h>

int
whole_of(const char *text, int most)
{
	long n = strtol(text, NULL, 10);

	return n > most ? most : n < -(long)most ? -most : (int)n;
}
