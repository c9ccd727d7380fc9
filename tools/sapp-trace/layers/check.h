/* Check the times of layers for implausible values. */
#ifndef CHECK_H
#define CHECK_H

#include "hint.h"
#include "timing.h"

/*
 * Exit if one of the classes has no BODY layer, and warn about implausible times. FOUND: names of other layers in the
 * files, for messages. Call before any output.
 */
void timings_check(const struct timings *, const struct hints *found);
/* Warn if the number of passes per step through the layers of a file is not the number of micro-batches. */
void timings_check_micro(const struct timings *, int micro);
/* Warn if the forward times of a BODY class differ between the counted steps of a file. */
void steps_check(const struct step_tally *, const struct instances *, const struct classes *, struct place at);

#endif
