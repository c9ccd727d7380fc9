/*
 * Path cuts: paths through the operations of a step. Each is a lower bound on the step time, linear in the costs of the
 * slots. They are rows (cuts) of linear programmes, added when a fractional solution violates them.
 */
#ifndef PATH_CUTS_H
#define PATH_CUTS_H

#include "lib/base/index.h"
#include "sapp-lp/model/problem.h"

struct path_cuts {
	int n;
	struct visits *at;	/* [n], distinct */
	uint64_t *key;		/* [n], hashes */
	struct index index;	/* index of the first index.n keys, extended by path_cuts_add() */
};

/* Return the number of this path; copy and add it if it is new. */
int path_cuts_add(const struct problem *, struct path_cuts *, const struct visits *);
/* Drop paths with NUMBER[n] 0; set NUMBER of the others to their new number. */
void path_cuts_keep(struct path_cuts *, int *number);
struct path_cuts path_cuts_copy(const struct problem *, const struct path_cuts *);
void path_cuts_free(struct path_cuts *);

struct visits visits_new(const struct problem *);	/* zeros; free(.at) */
void visits_copy(const struct problem *, struct visits *to, const struct visits *from);

/* Finds long paths under given costs: separation of the cuts. */
struct path_finder {
	const struct problem *p;
	double *cost;		/* [slots], ms, set by the caller */
	double *end, *clock;	/* buffers */
	struct visits path;	/* the path found last */
	uint32_t random;
	struct critical_paths *lanes;	/* for several paths at once; NULL: not created yet */
};

struct path_finder path_finder_new(const struct problem *);
void path_finder_free(struct path_finder *);
/* Find the critical path; return its length, which is the step time, ms. */
double path_finder_longest(struct path_finder *);
/* Return the step of one plan, ms, using its own finder. */
double candidate_step_time(const struct problem *, const struct candidate *);
/*
 * Find the critical path and N - 1 others (N <= LANES), each critical when stages are slowed by random factors from 1
 * to 1 + PART. LENGTH[LANES], ms: lengths of these N under the true costs; in lanes N and up the longest path under
 * path_finder_costs(). The paths are valid until the next call.
 */
const struct visits *path_finder_around(struct path_finder *, double part, int n, double *length);
/* Return the costs, [slots], ms. The caller may set lanes N and up before the next path_finder_around(). */
struct lanes *path_finder_costs(struct path_finder *);
/* For each stage, add the critical path with that stage at half its speed. Adds some paths even after DEADLINE. */
void path_finder_slowed(struct path_finder *, struct path_cuts *, double deadline);
/* Do the same for evenly spread layers, to have initial paths. */
void path_finder_first(struct path_finder *, struct path_cuts *, double deadline);

#endif
