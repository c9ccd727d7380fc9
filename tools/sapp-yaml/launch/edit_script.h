/* Edit script: the edits that make a script start its program with other arguments, proved by running it. */
#ifndef EDIT_SCRIPT_H
#define EDIT_SCRIPT_H

#include "lib/base/edit.h"
#include "wanted.h"

/*
 * Add edits of the script at PATH, whose text *E has and which starts NOW, until it starts THEN: as wanted in all that
 * is decided, and otherwise as before. Each edit is tried by running the edited text. Exits with the arguments on
 * stderr if no place is right.
 */
void script_edits(struct edits *e, const char *path, const struct started *now, struct started *then,
    const struct wanted *);

#endif
