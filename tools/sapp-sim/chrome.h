/* Simulated steps in trace-event format, for Perfetto and chrome://tracing. */
#ifndef CHROME_H
#define CHROME_H

#include "run.h"

/*
 * A process a plan, a thread a stage, a slice a block; memory of each stage as a counter; arrows from
 * each block to the one on another stage that waits for its data.
 */
void chrome_write(const char *path, const struct runs *);

#endif
