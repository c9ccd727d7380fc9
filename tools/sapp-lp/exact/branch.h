/*
 * Branch and bound, by branch and price: the plans made of the patterns are divided into nodes (node_bounds.h), each
 * bounded from below by its master problem. A node is closed when its bound reaches the best known step; the least
 * bound of the open nodes is a lower bound on every plan.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/pattern/patterns.h"

enum { BRANCH_WORKERS = 2 };

struct branch;

/*
 * Create the tree. The patterns must be complete for plans shorter than HORIZON, ms, at most the step of KNOWN, the
 * best plan: only shorter plans matter. The root starts with the bound of ROOT, and with PATHS as rows.
 */
struct branch *branch_new(struct patterns *, const struct root *, const struct path_cuts *,
    const struct candidate *known, double horizon);
/* Lower the horizon to HORIZON, ms, the step of a known plan. */
void branch_take(struct branch *, double horizon);
/*
 * Process up to NODES nodes, or WORK more work, on up to WORKERS threads (at most BRANCH_WORKERS). Return true when no
 * node is open: the best plan known is optimal. The result does not depend on thread timing.
 */
bool branch_run(struct branch *, int workers, int nodes, double work, double deadline);
double branch_work(const struct branch *);	/* in units of mastered.work */
long branch_bounded(const struct branch *);	/* nodes bounded */
/* Return whether no node is open, but a leaf that could not be divided may contain a better plan. */
bool branch_stuck(const struct branch *);
double branch_bound(const struct branch *);	/* ms, from proved_bound(): below every plan */
/* Return the step of the best plan found, ms; INFINITY if none exists. */
double branch_best(const struct branch *, struct candidate *out);
struct path_cuts branch_paths(const struct branch *);	/* copy; free with path_cuts_free() */
void branch_free(struct branch *);

#endif
