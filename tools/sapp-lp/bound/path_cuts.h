/* Paths: visits of longest paths through the operations, collected as rows for model programmes. */
#ifndef PATH_CUTS_H
#define PATH_CUTS_H

#include "sapp-lp/model/problem.h"

struct path_cuts {
	int n, room;
	struct visits *at;
	uint64_t *key;		/* [n], a hash of each */
};

/* The number of a path equal to this one; a copy is added when there is none. */
int path_cuts_add(const struct problem *, struct path_cuts *, const struct visits *);
void path_cuts_drop(struct path_cuts *, int i);
struct path_cuts path_cuts_copy(const struct problem *, const struct path_cuts *);
void path_cuts_free(struct path_cuts *);

struct visits visits_new(const struct problem *);	/* zeros; free .at */
void visits_copy(const struct problem *, struct visits *to, const struct visits *from);

/* Simulates costs, and finds paths that are long for them. */
struct path_finder {
	const struct problem *p;
	double *cost;		/* [slots], to be set by the caller */
	double *slowed, *end, *clock;
	struct visits path;	/* the last one found */
	unsigned random;
};

struct path_finder path_finder_new(const struct problem *);
void path_finder_free(struct path_finder *);
double path_finder_longest(struct path_finder *);	/* critical path of the costs; its length, as simulated */
/* Critical path of the costs, each stage slower by up to PART at random; its length by the true costs. */
double path_finder_run(struct path_finder *, double part);
/*
 * For each stage, the critical path when it is twice as slow as an even spread of all layers makes it; for the first
 * stages only when that takes until DEADLINE.
 */
void path_finder_first(struct path_finder *, struct path_cuts *, double deadline);

#endif
