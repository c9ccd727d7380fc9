/*
 * Path cuts: paths through the operations of a step, each a lower bound on the step time that is linear in the costs
 * of the slots.  They are rows (cuts) of the linear programmes, found where a fractional solution violates them.
 */
#ifndef PATH_CUTS_H
#define PATH_CUTS_H

#include "lib/base/index.h"
#include "sapp-lp/model/problem.h"

struct path_cuts {
	int n;
	struct visits *at;	/* [n], all different */
	uint64_t *key;		/* [n], a hash of each */
	struct index index;	/* by those keys, of the first index.n: path_cuts_add() makes the rest */
};

/* The number of this path, which is copied and added if it is not there yet. */
int path_cuts_add(const struct problem *, struct path_cuts *, const struct visits *);
/* Drop those whose NUMBER[n] is 0; the NUMBER of the others becomes their new one. */
void path_cuts_keep(struct path_cuts *, int *number);
struct path_cuts path_cuts_copy(const struct problem *, const struct path_cuts *);
void path_cuts_free(struct path_cuts *);

struct visits visits_new(const struct problem *);	/* zeros; free(.at) */
void visits_copy(const struct problem *, struct visits *to, const struct visits *from);

/* Finds paths that are long under given costs: separation of the cuts. */
struct path_finder {
	const struct problem *p;
	double *cost;		/* [slots], ms, to be set by the caller */
	double *end, *clock;	/* scratch */
	struct visits path;	/* the one found last */
	uint32_t random;
	struct critical_paths *lanes;	/* of several paths at once; NULL: to be made */
};

struct path_finder path_finder_new(const struct problem *);
void path_finder_free(struct path_finder *);
/* The critical path under the costs; returns its length, which is the step time, ms. */
double path_finder_longest(struct path_finder *);
/* ms, of one plan, with a finder of its own. */
double candidate_step_time(const struct problem *, const struct candidate *);
/*
 * The critical path under the costs, and N - 1 others, N being at most LANES: critical when each stage is slowed by a
 * random factor from 1 to 1 + PART. LENGTH[LANES], ms: of those N under the costs as they are; of the lanes from N on
 * the longest path under path_finder_costs(). The paths stay until the next call.
 */
const struct visits *path_finder_around(struct path_finder *, double part, int n, double *length);
/* [slots], ms; the caller may set those of lanes from N on before the next path_finder_around(). */
struct lanes *path_finder_costs(struct path_finder *);
/* Add for each stage the critical path under the costs if that stage were twice as slow; some even after DEADLINE. */
void path_finder_slowed(struct path_finder *, struct path_cuts *, double deadline);
/* Paths to begin with: the same, under the costs of all layers spread evenly. */
void path_finder_first(struct path_finder *, struct path_cuts *, double deadline);

#endif
