/* Layer times of profiled configurations: Taylor's table of ratios. */
#ifndef PROFILE_H
#define PROFILE_H

#include "lib/estimate/measured.h"

/*
 * Read CSV with columns dp, tp, pp, [ep, cp, mbs, op,] dmratio, bfratio, re_grow_ration, hratio, and the ms of a
 * mixture's forward, moe_fw or in places moe_bw. Exits, naming the line, if the table is different.
 */
void profile_read(struct measured *, const char *path);
/* Fill the unset mbs of profiles. Return whether any was unset. */
bool profile_settle(struct measured *, int mbs);

#endif
