/* Child: other programs, run and waited for. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* Between fork() and exec(): be killed when PARENT, which forked, ends, however it does. */
void child_dies_with(pid_t parent);

#endif
