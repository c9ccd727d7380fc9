/*
 * Tiers: stages whose devices are as fast as one another, where activations are offloaded.  What a layer keeps then,
 * and how long it waits for the link, are not the same on others.  Elsewhere all stages are of one tier.
 */
#ifndef TIER_H
#define TIER_H

#include "problem.h"

/*
 * By the paces of the problem, which its network outlives. Where backwards are not SPLIT, kinds of recomputation do not
 * differ in a part of them.
 */
void tiers_set(struct problem *, bool split);
void tiers_free(struct problem *);
/* A body as the devices of a stage have it: that of problem.net has the least of all stages. */
const struct body *stage_body(const struct problem *, int stage, int body);
/* The content of LENGTH layers from layer FIRST on in a piece; see contents_find(). */
int piece_content(const struct problem *, int piece, int first, int length);

#endif
