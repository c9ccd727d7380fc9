/* Confine: restrict a process to reading files, computing and starting a few utilities, without side effects. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>

/*
 * Confine this process and its children permanently: no writes outside DIRECTORY; execution only of the files PROGRAMS
 * (NULL-terminated); no sockets, signals to others, or changes of modes, owners and times. Opening files and forking
 * from now on wait for the holder of the descriptor returned, see seccomp_unotify(2). Return -1 and set *WHAT to the
 * feature that the kernel lacks.
 */
int confine(const char *directory, const char *const programs[], const char **what);

#endif
