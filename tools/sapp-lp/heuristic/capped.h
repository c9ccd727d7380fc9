/*
 * Capped layouts: a layout that fits, with no piece of a chunk above the chunk's cap. Each piece is recomputed as far
 * as its cap allows. Multiplicative weights (Freund and Schapire 1999) find prices of the stages' memory, each time
 * with the cheapest layout by dynamic programming over (pieces, layers placed); then the layout nearest to their mean
 * is repaired.
 */
#ifndef CAPPED_H
#define CAPPED_H

#include "sapp-lp/model/problem.h"

struct capped;

bool capped_can(const struct problem *);	/* pieces, layers and contents are few enough */
struct capped *capped_new(const struct problem *);
void capped_free(struct capped *);
/*
 * Find a plan below CAP[chunks], ms per micro-batch, recomputed as far as the caps allow. Return false if none is
 * found.
 */
bool capped_find(struct capped *, const double *cap, double deadline, struct candidate *out);
double capped_work(const struct capped *);	/* steps of dynamic programming done, some ns each */

#endif
