/* Child processes. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* Let the kernel kill this child when its parent PARENT ends for any reason. Call between fork() and exec(). */
void child_dies_with(pid_t parent);

#endif
