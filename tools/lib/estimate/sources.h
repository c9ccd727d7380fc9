/* Parts of a step by source: measured, fitted or computed. */
#ifndef SOURCES_H
#define SOURCES_H

#include "estimator.h"

struct collective;

/*
 * Return the source of the times of a collective among MEMBERS devices, or of transfers. K: the measurements used, or
 * NULL.
 */
struct grounds sources_grounds(const struct collective *k, double members);
/*
 * Set the fractions of the step by source. Idle time counts as time of the layers. Abort if a part of the step is
 * negative.
 */
void sources_divide(struct appraisal *);

#endif
