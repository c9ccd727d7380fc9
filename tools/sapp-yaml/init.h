/* Init: the settings of a run, in the form that measuring and planning need. */
#ifndef INIT_H
#define INIT_H

#include <stdbool.h>

/*
 * Write the init YAML for sapp-memsplit and sapp-trace, or with RECORDS the job record for sapp-lp. LAYERS: number of
 * layers; 0: as in the file. Exits if neither gives the number.
 */
void init_write(const char *path, int layers, bool records);

#endif
