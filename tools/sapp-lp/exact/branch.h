/*
 * Branch and bound by branch and price. The plans made of the patterns are divided into nodes (node_bounds.h), and the
 * master problem of each node gives its lower bound. A node is closed when its bound reaches the best known step. The
 * least bound of the open nodes is a lower bound on every plan.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/pattern/patterns.h"

enum { BRANCH_WORKERS = 2 };

struct branch;

/*
 * Create the tree. HORIZON, ms: only shorter plans matter; at most the step of KNOWN, the best plan. The patterns must
 * be complete for plans shorter than HORIZON. The root starts with the bound of ROOT, and with PATHS as rows.
 */
struct branch *branch_new(struct patterns *, const struct root *, const struct path_cuts *,
    const struct candidate *known, double horizon);
/* Lower the horizon to HORIZON, ms, the step of a known plan. */
void branch_take(struct branch *, double horizon);
/*
 * Process up to NODES nodes, or WORK more work, on up to WORKERS threads (at most BRANCH_WORKERS). Return true when no
 * node is open: then the best plan known is optimal. The result does not depend on the timing of threads.
 */
bool branch_run(struct branch *, int workers, int nodes, double work, double deadline);
double branch_work(const struct branch *);	/* in units of mastered.work */
long branch_bounded(const struct branch *);	/* number of nodes bounded */
/* Return whether no node is open, but a leaf that cannot be divided may contain a better plan. */
bool branch_stuck(const struct branch *);
double branch_bound(const struct branch *);	/* ms, below every plan, from proved_bound() */
/* Return the step of the best plan found, ms, and the plan in OUT. Return INFINITY if none was found. */
double branch_best(const struct branch *, struct candidate *out);
struct path_cuts branch_paths(const struct branch *);	/* return a copy of the rows; free with path_cuts_free() */
void branch_free(struct branch *);

#endif
