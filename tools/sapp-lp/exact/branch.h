/*
 * Branch and bound: the patterns is divided into nodes until each is proved to hold no plan that is better
 * than the best known, or the time is over; the least bound of the open nodes is a bound on every plan.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include "patterns.h"
#include "sapp-lp/bound/relaxation.h"

enum { BRANCH_WORKERS = 2 };

struct branch;

/* CATALOG must be complete for plans shorter than HORIZON, the best step time known, that of KNOWN. */
struct branch *branch_new(struct patterns *, const struct relaxed *, const struct candidate *known, double horizon);
/* A better plan was found elsewhere. */
void branch_take(struct branch *, double horizon);
/*
 * Divide up to NODES nodes, on so many threads, BRANCH_WORKERS at most. True when none is left: the best plan known is
 * optimal. What is done does not depend on which thread is faster.
 */
bool branch_run(struct branch *, int workers, int nodes, double deadline);
/* Contents that are priced one by one: with many of them a bounds may take seconds. */
int branch_unlisted(const struct branch *);
double branch_work(const struct branch *);	/* so far, as in mastered */
/* No bounds can be divided further, and yet some may hold a better plan. */
bool branch_stuck(const struct branch *);
double branch_bound(const struct branch *);	/* ms, at most the best step time known */
/* Step time of the best plan met on the way, INFINITY: none. */
double branch_best(const struct branch *, struct candidate *out);
struct path_cuts branch_paths(const struct branch *);	/* all that were found; path_cuts_free() */
void branch_free(struct branch *);

#endif
