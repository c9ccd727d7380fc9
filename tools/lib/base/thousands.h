/* Format large numbers. */
#ifndef THOUSANDS_H
#define THOUSANDS_H

/* Format a whole number with commas: 18,295; caller frees. */
char *thousands(double);

#endif
