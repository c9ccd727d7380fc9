/*
 * Tiers: with offloading, sets of stages with devices of equal speed. The memory a layer keeps and its wait for the
 * link depend on the speed. Without offloading all stages form one tier.
 */
#ifndef TIER_H
#define TIER_H

#include "problem.h"

/*
 * Set the tiers by the paces of the problem; its network must outlive it. Unless backwards are SPLIT, kinds do not
 * differ in parts of them.
 */
void tiers_set(struct problem *, bool split);
void tiers_free(struct problem *);
/* Return a body on the devices of a stage; that of problem.net has the minimum over stages. */
const struct body *stage_body(const struct problem *, int stage, int body);
/* Return the content of LENGTH layers from layer FIRST in a piece; see contents_find(). */
int piece_content(const struct problem *, int piece, int first, int length);

#endif
