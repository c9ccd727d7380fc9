/* Sandbox: a directory for what bash writes, with the utilities that it may start. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "lib/base/place.h"

/* Make the directory, which the end of this program removes, unless it is there: bin, notes and tmp are in it. */
const char *sandbox_open(struct place);
const char *sandbox_directory(void);
/* Files that may be executed, bash first, ended by NULL. */
const char *const *sandbox_programs(void);

#endif
