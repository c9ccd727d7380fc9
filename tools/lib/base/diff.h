/* Print the lines in which two texts differ. */
#ifndef DIFF_H
#define DIFF_H

#include <stdio.h>

/* Print the changes from OLD to NEW, two texts of the file at PATH, in the format of "diff -u". */
void diff_print(FILE *, const char *path, const char *old, size_t old_length, const char *new, size_t new_length);

#endif
