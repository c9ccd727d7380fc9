/*
 * Tiers of devices: with offloading, sets of stages with devices of equal speed. The memory that a layer keeps and its
 * wait for the offloading link depend on this speed. Without offloading all stages form one tier.
 */
#ifndef TIER_H
#define TIER_H

#include "problem.h"

/*
 * Set the tiers from the paces of the problem, whose network must outlive it. Unless backwards are SPLIT, remove the
 * differences between kinds in the weight gradient part.
 */
void tiers_set(struct problem *, bool split);
void tiers_free(struct problem *);
/*
 * Return a body with the times and memory on the devices of a stage. The same body of problem.net has the minimum over
 * stages.
 */
const struct body *stage_body(const struct problem *, int stage, int body);
/* Return the content of LENGTH layers from layer FIRST in a piece; see contents_find(). */
int piece_content(const struct problem *, int piece, int first, int length);

#endif
