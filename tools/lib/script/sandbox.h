/* A directory that bash may write to, with the utilities that it may start. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "lib/base/place.h"

/*
 * Return the directory, which has bin, notes and tmp. Create it if it does not exist. It is removed when this program
 * ends.
 */
const char *sandbox_open(struct place);
const char *sandbox_directory(void);
/* Return the files that may be executed, bash first, NULL-terminated. */
const char *const *sandbox_programs(void);

#endif
