/* Current: the settings of a training YAML as a plan, for comparison. */
#ifndef CURRENT_H
#define CURRENT_H

#include "lib/record/record.h"

/*
 * Write the records of OPERANDS (default: standard input, unless it is a terminal), then the settings of the training
 * YAML or script PATH as the plan NAME. If OPERANDS have no question and PATH has a memory limit, write PATH's question
 * before the plan. LAYERS: number of layers; 0: as in PATH.
 */
void current_write(const char *path, const char *name, int layers, char *const operands[]);

#endif
