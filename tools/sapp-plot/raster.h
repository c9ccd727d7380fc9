/* Raster: a stage's blocks in columns of equal time, for drawings that are too coarse for single blocks. */
#ifndef RASTER_H
#define RASTER_H

#include "axis.h"

/*
 * Get a state per column: RASTER_IDLE, or phase * chunks + chunk. If a column has several states, it shows one of them,
 * chosen such that each state gets its share over neighbouring columns.
 */
enum { RASTER_IDLE = -1 };
void raster_stage(const struct plot_run *, int stage, const struct axis *, int columns, int state[]);
/* Get the maximum MB of each column. */
void raster_memory(const struct plot_run *, int stage, const struct axis *, int columns, double top[]);

#endif
