/*
 * A test whether a plan of two stages with several chunks can be shorter than a given time. It considers whole layers
 * in model order.
 */
#ifndef TWO_STAGES_H
#define TWO_STAGES_H

#include "reach.h"

/*
 * Return false only if no plan has a pipeline shorter than TIME, s. Return true for pipelines that are not of this
 * kind.
 */
bool two_stages_below(const struct reach *, const struct configuration *, double time);

#endif
