/* Fused operators of a candidate: their effect is measured or unknown. */
#ifndef FUSED_H
#define FUSED_H

#include "lib/estimate/estimator.h"

/*
 * Check a candidate. Exits, naming AT and a run to make, if the network cannot use its fused operators or no similar
 * run was measured. Candidates may lack the base's fused operators KEPT: all are then compared as if none had them,
 * with one message. The same holds for a candidate without this setting, if all similar runs have fused operators.
 */
struct fused_kept {
	int fused;		/* bits of enum fused */
	bool said, missed;
};
void fused_check(struct estimator *, const struct configuration *, const struct architecture *, const struct cluster *,
    struct fused_kept *, struct place at);

#endif
