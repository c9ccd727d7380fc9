/*
 * Peaks from dryruns of whole configurations. The paths of their logs name the configurations, as in DP16_TP8_PP8_EP4.
 */
#ifndef DRYRUNS_H
#define DRYRUNS_H

#include <stdio.h>

#include "lib/estimate/measured.h"

/*
 * Read the largest peak of each configuration from a log, or from the logs below a directory. Configurations that
 * differ only in ep determine the peak of every other ep: it is a common part, plus the experts' part divided by ep.
 * Exits if nothing is found.
 */
void dryruns_read(struct measured *, const char *path);
/* Get the degrees in a path; vp and mbs are 0 if absent. Return false if it has none. */
bool dryruns_degrees(const char *path, struct measured_peak *);
/* Add a peak. If the configuration is known, keep the larger peak. */
void dryruns_add(struct measured *, const struct measured_peak *);
/* Set the unset vp and mbs of peaks. Return whether any mbs was unset. */
bool dryruns_settle(struct measured *, int vp, int mbs);
/*
 * Write the peaks as CSV, except those above LIMIT bytes. Peaks are written for ep in powers of two up to EP_MOST that
 * divide dp times tp. Columns cp, vp and mbs follow if peaks differ in them.
 */
void dryruns_write(FILE *, const struct measured *, double limit, int ep_most);

#endif
