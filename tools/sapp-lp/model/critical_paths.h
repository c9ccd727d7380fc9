/*
 * Critical paths of LANES plans at once. One pass over the operations serves all plans, and stores a bit per plan for
 * the dependency that determined each start.
 */
#ifndef CRITICAL_PATHS_H
#define CRITICAL_PATHS_H

#include "evaluator.h"

struct critical_paths {
	const struct evaluator *evaluator;
	struct lanes *cost;	/* [slots], ms, set by the caller */
	struct lanes *end, *clock;	/* buffers: [registers], [stages] */
	uint8_t *waited;	/* [noperations], a bit per plan: the operation began when its data arrived */
	uint32_t *last;		/* [stages], 1 + index of the last operation */
	struct visits path[LANES];	/* found by critical_paths_find() */
};

struct critical_paths critical_paths_new(const struct evaluator *);
void critical_paths_free(struct critical_paths *);
/* Find the critical paths of the first N plans, as evaluator_path() does. Return the step times of all plans, ms. */
struct lanes critical_paths_find(struct critical_paths *, int n);

#endif
