/* Edit script: change a script such that it starts its program with other arguments, and verify this by running it. */
#ifndef EDIT_SCRIPT_H
#define EDIT_SCRIPT_H

#include "wanted.h"

/*
 * Return OLD, the text of the script at PATH, edited such that it starts THEN instead of NOW; caller frees. Decided
 * options are then as wanted, and everything else is unchanged. Each edit is tried by running the edited text. Exits
 * with the arguments on stderr if no edit works.
 */
char *script_edited(const char *path, const char *old, size_t *length, const struct started *now, struct started *then,
    const struct wanted *);

#endif
