/* Peaks from dryruns of whole configurations, named by the paths of their logs: DP16_TP8_PP8_EP4. */
#ifndef DRYRUNS_H
#define DRYRUNS_H

#include <stdio.h>

#include "lib/estimate/measured.h"

/*
 * Read the largest peak of each configuration named by logs below a directory, or by a log. Configurations that differ
 * only in ep determine every other ep: a common part, and the experts' part over ep. Exits if nothing is found.
 */
void dryruns_read(struct measured *, const char *path);
/* Get the degrees in a path, vp and mbs 0 if absent. Return false if none exists. */
bool dryruns_degrees(const char *path, struct measured_peak *);
/* Add a peak; a known configuration keeps the larger one. */
void dryruns_add(struct measured *, const struct measured_peak *);
/* Fill the unset vp and mbs of peaks. Return whether any mbs was unset. */
bool dryruns_settle(struct measured *, int vp, int mbs);
/*
 * Write the peaks up to LIMIT bytes as CSV, with ep in powers of two up to EP_MOST that divide dp times tp. Columns cp,
 * vp and mbs follow if peaks differ in them.
 */
void dryruns_write(FILE *, const struct measured *, double limit, int ep_most);

#endif
