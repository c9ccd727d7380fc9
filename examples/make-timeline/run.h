/* Run: what a device does in a training step. */
#ifndef RUN_H
#define RUN_H

#include "writer.h"

/* One step of 1F1B on the writer's stage; layers take the time that was asked for, warm-up steps more. */
void run_step(struct writer *);

#endif
