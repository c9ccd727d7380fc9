/* Checks: what looks wrong in the times of the layers. */
#ifndef CHECK_H
#define CHECK_H

#include "timing.h"

/* Exit if there is no body layer; warn of what looks wrong. FOUND: names of layers that are there instead, or NULL.
 * Call before the first output. */
void timings_check(const struct timings *, const char *found);
/* Warn when the counted steps of one file differ. */
void steps_check(const struct tally *, const struct instances *, const struct classes *, struct place at);

#endif
