/* Fused operators of a candidate, whose effect is either measured or unknown. */
#ifndef FUSED_H
#define FUSED_H

#include "lib/estimate/estimator.h"

/*
 * Check the fused operators of a candidate. Exits, naming AT and a run to make, if the network cannot use them, or if
 * no similar run was measured.
 *
 * Candidates may lack the fused operators KEPT, which the base has. All candidates are then compared without fused
 * operators, and one message says so. The same holds if a candidate does not set fused operators and all similar runs
 * have some.
 */
struct fused_kept {
	int fused;		/* set of bits of enum fused */
	bool said, missed;
};
void fused_check(struct estimator *, const struct configuration *, const struct architecture *, const struct cluster *,
    struct fused_kept *, struct place at);

#endif
