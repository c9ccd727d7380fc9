/* Unknown: arguments of programs whose values are unknown before the script runs. */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "programs.h"

/* Add to PROGRAMS the differences to a run with another TEXT as the output of FROM (NULL: of several). */
void unknown_compare(struct programs *, const struct programs *other, const struct note *from, const char *text);
/* Add options of PROGRAMS without a value because the script TEXT takes it from an unset variable. */
void unknown_unset(struct programs *, const char *text);

#endif
