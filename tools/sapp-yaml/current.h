/* Current: what a training YAML says now as a plan, to be compared with others. */
#ifndef CURRENT_H
#define CURRENT_H

#include "lib/record/record.h"

/*
 * Write the records of OPERANDS (none and a terminal as standard input: no records), then the plan, and
 * before it its question where the stream has none and the file gives a memory limit. LAYERS 0: as the file says.
 */
void current_write(const char *path, const char *name, int layers, char *const operands[]);

#endif
