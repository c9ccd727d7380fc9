/*
 * Capped layouts: a layout that fits, in which no piece of a chunk takes longer than the chunk's cap.  Each piece is
 * recomputed as far as its cap lets it be. Prices of the stages' memory are found by multiplicative weights (Freund and
 * Schapire 1999), each time the cheapest layout by dynamic programming over (pieces, layers placed); then the layout
 * nearest to the mean of those is repaired.
 */
#ifndef CAPPED_H
#define CAPPED_H

#include "sapp-lp/model/problem.h"

struct capped;

bool capped_can(const struct problem *);	/* pieces, layers and contents are few enough at all */
struct capped *capped_new(const struct problem *);
void capped_free(struct capped *);
/*
 * CAP[chunks]: ms of one micro-batch. True: OUT is such a plan, each piece recomputed as far as its cap lets it be.
 * False: none was found.
 */
bool capped_find(struct capped *, const double *cap, double deadline, struct candidate *out);
double capped_work(const struct capped *);	/* done so far, in steps of the dynamic programme, some ns each */

#endif
