/* Profile: layer times of configurations, in the format of Taylor's table of ratios. */
#ifndef PROFILE_H
#define PROFILE_H

#include "lib/estimate/measured.h"

/*
 * Read the CSV file PATH. Its columns are dp, tp, pp, [ep, cp, mbs, op,] dmratio, bfratio, re_grow_ration, hratio, and
 * the ms of a mixture's forward: moe_fw, or moe_bw as some files name it. Exits, naming the line, if the table differs.
 */
void profile_read(struct measured *, const char *path);
/* Set the unset mbs of profiles. Return whether any was unset. */
bool profile_settle(struct measured *, int mbs);

#endif
