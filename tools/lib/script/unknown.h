/* Arguments whose values are known only when the script runs. */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "programs.h"

/*
 * Mark in PROGRAMS the arguments that differ in another run. There, another text was the output of the program FROM;
 * NULL: of several programs. TEXT: the script.
 */
void unknown_compare(struct programs *, const struct programs *other, const struct note *from, const char *text);
/* Mark in PROGRAMS the options without a value that the script TEXT takes from an unset variable. */
void unknown_unset(struct programs *, const char *text);

#endif
