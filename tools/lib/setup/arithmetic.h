/* Sums of whole numbers, as $((...)) of a shell has them. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>

/* + - * / % and brackets; false where TEXT is nothing of the kind, or divides by 0. */
bool arithmetic(const char *text, long *value);

#endif
