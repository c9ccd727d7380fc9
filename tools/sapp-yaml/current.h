/* Current: the settings of a training YAML as a plan, for comparison. */
#ifndef CURRENT_H
#define CURRENT_H

#include "lib/record/record.h"

/*
 * Write the records of OPERANDS (default: standard input, unless it is a terminal), then the plan. If the stream has no
 * question and the file has a memory limit, write the question before the plan. LAYERS: number of layers; 0: as in the
 * file.
 */
void current_write(const char *path, const char *name, int layers, char *const operands[]);

#endif
