/* Numbers for people. */
#ifndef THOUSANDS_H
#define THOUSANDS_H

/* A whole number with commas: 18,295; to be freed. */
char *thousands(double);

#endif
