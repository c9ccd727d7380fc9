/* Init: the settings of a run in the form needed to measure and plan it. */
#ifndef INIT_H
#define INIT_H

#include <stdbool.h>

/*
 * Write the init YAML for sapp-memsplit and sapp-trace, or with RECORDS the job record for sapp-lp. LAYERS 0: as in the
 * file. Exits if the file lacks them.
 */
void init_write(const char *path, int layers, bool records);

#endif
