/* Edit a script so that it starts its program with other arguments, and verify by running it. */
#ifndef EDIT_SCRIPT_H
#define EDIT_SCRIPT_H

#include "wanted.h"

/*
 * Return the text OLD of the script at PATH, which starts NOW, edited so that it starts THEN: as wanted in decided
 * options, otherwise unchanged; caller frees. Tries each edit by running the edited text. Exits with the arguments on
 * stderr if no place works.
 */
char *script_edited(const char *path, const char *old, size_t *length, const struct started *now, struct started *then,
    const struct wanted *);

#endif
