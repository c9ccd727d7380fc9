/* Write simulated steps in trace-event format, for Perfetto and chrome://tracing. */
#ifndef CHROME_H
#define CHROME_H

#include "run.h"

/*
 * One process per plan, thread per stage and slice per block; memory of each stage as a counter; arrows between blocks
 * for data sent to other stages.
 */
void chrome_write(const char *path, const struct sim_runs *);

#endif
