/* Init: what has to be known of a run to measure and plan it, from its own settings. */
#ifndef INIT_H
#define INIT_H

#include <stdbool.h>

/*
 * Write the init YAML that sapp-memsplit and sapp-trace take, or, as RECORDS, the job record that sapp-lp takes. LAYERS
 * 0: as the file says. Exits when the file says no such thing.
 */
void init_write(const char *path, int layers, bool records);

#endif
