/* Sandbox: a directory for bash to write to, with the utilities it may start. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "lib/base/place.h"

/* Create the directory, with bin, notes and tmp, unless it exists; it is removed when this program ends. */
const char *sandbox_open(struct place);
const char *sandbox_directory(void);
/* Return the executable files, bash first, NULL-terminated. */
const char *const *sandbox_programs(void);

#endif
