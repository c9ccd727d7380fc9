/* Sources: the parts of a step that were measured, fitted or computed. */
#ifndef SOURCES_H
#define SOURCES_H

#include "estimator.h"

struct collective;

/* Return the source of times of a collective among MEMBERS devices, or of messages. K: the measured one, or NULL. */
struct grounds sources_grounds(const struct collective *k, double members);
/* Set the shares of the step by source; idle time belongs to the layers. Aborts if a part of the step is negative. */
void sources_divide(struct appraisal *);

#endif
