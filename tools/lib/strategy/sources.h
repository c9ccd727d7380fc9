/* Sources: which parts of a step were measured, fitted or computed. */
#ifndef SOURCES_H
#define SOURCES_H

#include "estimator.h"

struct collective;

/* Return where the times of a collective among MEMBERS devices, or of messages, are from. K: as measured, or NULL. */
struct grounds sources_grounds(const struct collective *k, double members);
/* Fill the shares of the step by source. Idle time goes with the layers. Aborts if a part of the step is negative. */
void sources_divide(struct appraisal *);

#endif
