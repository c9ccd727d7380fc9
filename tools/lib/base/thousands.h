/* Formatting of large numbers. */
#ifndef THOUSANDS_H
#define THOUSANDS_H

/* Return a whole number with commas, such as 18,295. Caller frees. */
char *thousands(double);

#endif
