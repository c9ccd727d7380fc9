/* Peaks of dryruns of whole configurations, which their logs' paths name: DP16_TP8_PP8_EP4. */
#ifndef DRYRUNS_H
#define DRYRUNS_H

#include <stdio.h>

#include "lib/strategy/measured.h"

/*
 * The largest peak of each configuration named by the logs below a directory, or by one log. Configurations that
 * differ in ep alone give those with every other ep: what all have, and the experts' part over ep. Exits when
 * nothing is found.
 */
void dryruns_read(struct measured *, const char *path);
/* The degrees that a path names, vp and mbs 0 if it does not name them; false where it names none. */
bool dryruns_degrees(const char *path, struct measured_peak *);
/* Of a configuration that is known already the larger one stays. */
void dryruns_add(struct measured *, const struct measured_peak *);
/* Fill the unset vp and mbs of peaks. Return whether any mbs was unset. */
bool dryruns_settle(struct measured *, int vp, int mbs);
/*
 * Write the peaks of at most LIMIT bytes as CSV, with ep in powers of two up to EP_MOST that divide dp times tp.
 * Columns cp, vp and mbs follow if peaks differ in them.
 */
void dryruns_write(FILE *, const struct measured *, double limit, int ep_most);

#endif
