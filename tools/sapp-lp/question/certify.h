/*
 * Write the certificate that sapp-check(1) verifies without the planner. It proves the bound with weighted means of
 * paths, the columns each mean excludes, and a tree of divisions that leaves no open node.
 */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "sapp-lp/planner/answer.h"
#include "options.h"

/* Exit with a reason if no certificate can be written for a question. */
void certify_check(const struct options *, const struct pipeline *);
/*
 * Return the text of the proof of BOUND, ms, for the pipeline alone: paths, bounds and divisions; caller frees. Ends at
 * DEADLINE (s of clock_now()). *BOUND becomes lower if only a lower bound is proved. BEST: a plan whose step is not
 * below the bound.
 */
char *certify(const struct problem *, const struct candidate *best, double *bound, double deadline);

#endif
