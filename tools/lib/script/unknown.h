/* Arguments whose values are known only when the script runs. */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "programs.h"

/*
 * Mark in PROGRAMS the arguments that differ in OTHER, a run in which the program FROM had another output. FROM NULL:
 * several programs had. TEXT: the script.
 */
void unknown_compare(struct programs *, const struct programs *other, const struct note *from, const char *text);
/* Mark in PROGRAMS the options that have no value, because the script TEXT takes the value from an unset variable. */
void unknown_unset(struct programs *, const char *text);

#endif
