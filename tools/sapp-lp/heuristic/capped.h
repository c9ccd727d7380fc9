/*
 * Capped layouts: find a layout that fits, in which no piece of a chunk takes longer than the chunk's cap. Each piece
 * is recomputed as much as its cap allows. Multiplicative weights (Freund and Schapire 1999) find prices of the stages'
 * memory. In each round dynamic programming over (pieces, layers placed) finds the cheapest layout. Finally the layout
 * nearest to the mean of these layouts is repaired.
 */
#ifndef CAPPED_H
#define CAPPED_H

#include "sapp-lp/model/problem.h"

struct capped;

bool capped_can(const struct problem *);	/* whether pieces, layers and contents are few enough */
struct capped *capped_new(const struct problem *);
void capped_free(struct capped *);
/*
 * Find a plan whose pieces take at most CAP[chunks], ms per micro-batch, recomputed as much as the caps allow. Return
 * false if none is found.
 */
bool capped_find(struct capped *, const double *cap, double deadline, struct candidate *out);
double capped_work(const struct capped *);	/* steps of dynamic programming done, some ns each */

#endif
