/* Child processes. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* Call between fork() and exec(): the kernel kills the child when its parent PARENT ends for any reason. */
void child_dies_with(pid_t parent);

#endif
