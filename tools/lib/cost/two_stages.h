/*
 * Check whether any plan of two stages with several chunks may be shorter than a given time, considering whole layers
 * in order.
 */
#ifndef TWO_STAGES_H
#define TWO_STAGES_H

#include "reach.h"

/* Return false only if no plan is shorter than TIME, s of the pipeline alone; true for other pipelines. */
bool two_stages_below(const struct reach *, const struct configuration *, double time);

#endif
