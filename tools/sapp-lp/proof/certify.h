/*
 * Certify: the certificate of an answer, which sapp-check(1) can check without the planner. The bound is proved again,
 * by what a checker can do itself: means of paths, what they drop, and a tree of divisions, until nothing is left.
 */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "sapp-lp/answer.h"
#include "sapp-lp/options.h"

/* Exits, saying why, where no certificate can be written for a question. */
void certify_check(const struct options *, const struct pipeline *);
/*
 * The paths, bounds and divisions that prove BOUND, ms, of the pipeline alone, until DEADLINE (s of clock.h), and the
 * end, to be freed. *BOUND becomes less where only that is proved by then. BEST: a plan that is no shorter.
 */
char *certify(const struct problem *, const struct candidate *best, double *bound, double deadline);

#endif
