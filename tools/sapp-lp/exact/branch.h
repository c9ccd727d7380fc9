/*
 * Branch and bound, by branch and price: the plans made of the patterns are divided into nodes (node_bounds.h), each
 * bounded from below by its master problem.  A node whose bound reaches the best step time known is closed; the least
 * bound of the open nodes is a lower bound on every plan.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/pattern/patterns.h"

enum { BRANCH_WORKERS = 2 };

struct branch;

/*
 * The patterns must be complete for plans shorter than HORIZON, ms, at most the step time of KNOWN, the best plan so
 * far: only shorter plans matter. The root node begins with the bound of ROOT, and with PATHS as rows.
 */
struct branch *branch_new(struct patterns *, const struct root *, const struct path_cuts *,
    const struct candidate *known, double horizon);
/* A plan of HORIZON ms is known: only shorter ones matter from now on. */
void branch_take(struct branch *, double horizon);
/*
 * Bound and divide up to NODES nodes, or until so much WORK more is done, on WORKERS threads, BRANCH_WORKERS at most.
 * True when no node is open any more: the best plan known is optimal. The result does not depend on which thread is
 * faster.
 */
bool branch_run(struct branch *, int workers, int nodes, double work, double deadline);
double branch_work(const struct branch *);	/* so far, in the unit of mastered.work */
long branch_bounded(const struct branch *);	/* nodes bounded so far */
/* No node is open any more, but a leaf, a node that could not be divided, may hold a better plan. */
bool branch_stuck(const struct branch *);
double branch_bound(const struct branch *);	/* ms, from proved_bound(): a lower bound on every plan */
/* Step time of the best plan met on the way, ms; INFINITY: none. */
double branch_best(const struct branch *, struct candidate *out);
struct path_cuts branch_paths(const struct branch *);	/* found so far; path_cuts_free() */
void branch_free(struct branch *);

#endif
