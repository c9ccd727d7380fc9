/* Checks: what looks wrong in the times of the layers. */
#ifndef CHECK_H
#define CHECK_H

#include "sapp-trace/layer/hint.h"
#include "timing.h"

/* Exit if there is no body layer of one of the classes; warn of what looks wrong. FOUND: layers that are there instead.
 * Call before the first output. */
void timings_check(const struct timings *, const struct hints *found);
/* Warn if the layers of a file are passed another number of times in a step than there are micro-batches. */
void timings_check_micro(const struct timings *, int micro);
/* Warn when the counted steps of one file differ. */
void steps_check(const struct tally *, const struct instances *, const struct classes *, struct place at);

#endif
