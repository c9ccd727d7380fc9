/* Edit a script so that it starts its program with other arguments, and verify by running it. */
#ifndef EDIT_SCRIPT_H
#define EDIT_SCRIPT_H

#include "lib/base/edit.h"
#include "wanted.h"

/*
 * Add edits to the text *E of the script at PATH, which starts NOW, until it starts THEN: as wanted in decided options,
 * otherwise unchanged. Tries each edit by running the edited text. Exits with the arguments on stderr if no place
 * works.
 */
void script_edits(struct edits *e, const char *path, const struct started *now, struct started *then,
    const struct wanted *);

#endif
