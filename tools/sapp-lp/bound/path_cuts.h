/*
 * Path cuts: paths through the operations of a step. The length of each path is a lower bound on the step time, linear
 * in the costs of the slots. Paths become rows (cuts) of linear programmes when a fractional solution violates them.
 */
#ifndef PATH_CUTS_H
#define PATH_CUTS_H

#include "lib/base/index.h"
#include "sapp-lp/model/problem.h"

struct path_cuts {
	int n;
	struct visits *at;	/* [n], all distinct */
	uint64_t *key;		/* [n], hashes of the paths */
	struct index index;	/* index of the first index.n keys; path_cuts_add() extends it */
};

/* Return the index of the path in the list. If the path is new, add a copy of it. */
int path_cuts_add(const struct problem *, struct path_cuts *, const struct visits *);
/* Drop each path with NUMBER[n] 0. Set NUMBER of the other paths to their new indices. */
void path_cuts_keep(struct path_cuts *, int *number);
struct path_cuts path_cuts_copy(const struct problem *, const struct path_cuts *);
void path_cuts_free(struct path_cuts *);

struct visits visits_new(const struct problem *);	/* return a path without visits; caller frees .at */
void visits_copy(const struct problem *, struct visits *to, const struct visits *from);

/* Finder of long paths under given costs, for the separation of cuts. */
struct path_finder {
	const struct problem *p;
	double *cost;		/* [slots], ms, to be set by the caller */
	double *end, *clock;	/* buffers */
	struct visits path;	/* the path found last */
	uint32_t random;
	struct critical_paths *lanes;	/* finder of several paths at once; NULL: not created yet */
};

struct path_finder path_finder_new(const struct problem *);
void path_finder_free(struct path_finder *);
/* Find the critical path and return its length, which is the step time, ms. */
double path_finder_longest(struct path_finder *);
/* Return the step of one plan, ms. Creates a path_finder, and frees it before the return. */
double candidate_step_time(const struct problem *, const struct candidate *);
/*
 * Find the critical path and N - 1 other paths (N <= LANES). Each of the others is critical if stages are slowed by
 * random factors from 1 to 1 + PART. LENGTH[LANES], ms: the lengths of these N paths under the true costs; in lanes N
 * and up, the longest path under path_finder_costs(). The paths are valid until the next call.
 */
const struct visits *path_finder_around(struct path_finder *, double part, int n, double *length);
/*
 * Return the costs of all lanes, [slots], ms. Before the next path_finder_around() the caller may set the costs in
 * lanes N and up.
 */
struct lanes *path_finder_costs(struct path_finder *);
/*
 * For each stage, add the path that is critical when this stage has half its speed. Adds some paths even after
 * DEADLINE.
 */
void path_finder_slowed(struct path_finder *, struct path_cuts *, double deadline);
/* Add the paths of path_finder_slowed() for evenly spread layers, as initial paths. */
void path_finder_first(struct path_finder *, struct path_cuts *, double deadline);

#endif
