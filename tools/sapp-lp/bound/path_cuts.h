/* Paths: visits of longest paths through the operations, collected as rows for linear programmes. */
#ifndef PATHS_H
#define PATHS_H

#include "sapp-lp/model/problem.h"

struct paths {
	int n, room;
	struct visits *at;
	uint64_t *key;		/* [n], a hash of each */
};

/* The number of a path equal to this one; a copy is added when there is none. */
int paths_add(const struct problem *, struct paths *, const struct visits *);
void paths_drop(struct paths *, int i);
struct paths paths_copy(const struct problem *, const struct paths *);
void paths_free(struct paths *);

struct visits visits_new(const struct problem *);	/* zeros; free .at */
void visits_copy(const struct problem *, struct visits *to, const struct visits *from);

/* Simulates costs, and finds paths that are long for them. */
struct finder {
	const struct problem *p;
	double *cost;		/* [slots], to be set by the caller */
	double *slowed, *end, *clock;
	struct visits path;	/* the last one found */
	unsigned random;
};

struct finder finder_new(const struct problem *);
void finder_free(struct finder *);
double finder_longest(struct finder *);	/* critical path of the costs; its length, as simulated */
/* Critical path of the costs, each stage slower by up to PART at random; its length by the true costs. */
double finder_run(struct finder *, double part);
/*
 * For each stage, the critical path when it is twice as slow as an even spread of all layers makes it; for the first
 * stages only when that takes until DEADLINE.
 */
void finder_first(struct finder *, struct paths *, double deadline);

#endif
