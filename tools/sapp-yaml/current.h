/* Current: the settings of a training YAML as a plan, for comparison. */
#ifndef CURRENT_H
#define CURRENT_H

#include "lib/record/record.h"

/*
 * Write the records of OPERANDS (stdin by default, unless a terminal), then the plan; before it its question, if the
 * stream has none and the file has a memory limit. LAYERS 0: as in the file.
 */
void current_write(const char *path, const char *name, int layers, char *const operands[]);

#endif
