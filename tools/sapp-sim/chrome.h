/* Write simulated steps in trace-event format, for Perfetto and chrome://tracing. */
#ifndef CHROME_H
#define CHROME_H

#include "run.h"

/*
 * Write PATH with a process per plan, a thread per stage, and a slice per block. The memory of each stage is a counter.
 * Arrows between blocks show data sent to other stages.
 */
void chrome_write(const char *path, const struct sim_runs *);

#endif
