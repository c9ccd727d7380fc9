/* Raster: a stage's blocks in columns of equal time, for drawings too coarse to show every block. */
#ifndef RASTER_H
#define RASTER_H

#include "axis.h"

/*
 * One state a column: RASTER_IDLE or phase * chunks + chunk. A column with several shows one of them, chosen
 * so that every state gets its share of the columns around it.
 */
enum { RASTER_IDLE = -1 };
void raster_stage(const struct run *, int stage, const struct axis *, int columns, int state[]);
/* MB, the most of each column. */
void raster_memory(const struct run *, int stage, const struct axis *, int columns, double top[]);

#endif
