/* Run: the operations of a device in a training step. */
#ifndef RUN_H
#define RUN_H

#include "writer.h"

/* Write one step of 1F1B on the writer's stage; layers take the requested times, and more in warm-up steps. */
void run_step(struct writer *);

#endif
