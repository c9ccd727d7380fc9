/* Confine: a process that may read files, compute and start a few utilities, and change nothing. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>

/*
 * Confine this process and all that it starts, for good: no file is written outside of DIRECTORY, only files of
 * PROGRAMS (paths, ended by NULL) are executed, and there are no sockets, signals to others, or changes of modes,
 * owners and times. Files that are opened and processes that are forked from now on wait for the holder of the
 * descriptor returned, which seccomp_unotify(2) describes. Return -1 and set *WHAT to the missing feature if the
 * kernel has it not.
 */
int confine(const char *directory, const char *const programs[], const char **what);

#endif
