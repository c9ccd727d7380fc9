/* Confine a process: it can read files, compute and start some utilities, and has no other effects. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>

/*
 * Confine this process and all its children permanently.
 *
 * These processes cannot write outside DIRECTORY, or execute files other than PROGRAMS (NULL-terminated). They cannot
 * use sockets, send signals to further processes, or change modes, owners and times. Return a descriptor. From now on
 * every opening of a file and every fork waits until the holder of the descriptor allows or denies it, see
 * seccomp_unotify(2).
 *
 * If the kernel lacks a feature for this, return -1 and set *WHAT to its name.
 */
int confine(const char *directory, const char *const programs[], const char **what);

#endif
