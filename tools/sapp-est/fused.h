/* Fused operators of a candidate: what they are worth is measured, or not known. */
#ifndef FUSED_H
#define FUSED_H

#include "lib/strategy/estimator.h"

/*
 * Exits naming AT and the run that would tell where the network has no use of them, or no run is alike. What the run of
 * today has fused, KEPT, candidates may have without: they are compared as if none had it, which is said once. So is a
 * candidate that does not say what it has fused, where only runs that have some are alike.
 */
struct fused_kept {
	int fused;		/* bits of enum fused */
	bool said, missed;
};
void fused_check(struct estimator *, const struct configuration *, const struct architecture *, const struct cluster *,
    struct fused_kept *, struct place at);

#endif
