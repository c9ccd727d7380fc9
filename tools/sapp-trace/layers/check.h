/* Check the times of layers for implausible values. */
#ifndef CHECK_H
#define CHECK_H

#include "hint.h"
#include "timing.h"

/*
 * Exit if there is no body layer of one of the classes; warn about implausible times. FOUND: names of other layers in
 * the files, for messages. Call before the first output.
 */
void timings_check(const struct timings *, const struct hints *found);
/* Warn if the layers of a file have another number of passes per step than micro-batches. */
void timings_check_micro(const struct timings *, int micro);
/* Warn if the forward times of a BODY class differ between the counted steps of a file. */
void steps_check(const struct step_tally *, const struct instances *, const struct classes *, struct place at);

#endif
