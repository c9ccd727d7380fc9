/* Unknown: arguments of programs whose values are not known before the script runs. */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "programs.h"

/* Add to PROGRAMS what differs in a run in which other text stands for the output of FROM (NULL: of several). */
void unknown_compare(struct programs *, const struct programs *other, const struct note *from, const char *text);
/* Add options of PROGRAMS that have no value since TEXT, the script's, takes it from a variable that is not set. */
void unknown_unset(struct programs *, const char *text);

#endif
