/*
 * Critical paths of LANES plans at once: the operations are gone through once for all of them, and what decided when
 * an operation began, in which plan, is kept in a bit.
 */
#ifndef CRITICAL_PATHS_H
#define CRITICAL_PATHS_H

#include "evaluator.h"

struct critical_paths {
	const struct evaluator *evaluator;
	struct lanes *cost;	/* [slots], ms, to be set by the caller */
	struct lanes *end, *clock;	/* scratch: [registers], [stages] */
	uint8_t *waited;	/* [noperations], a bit for each plan: it began when what it needs had arrived */
	uint32_t *last;		/* [stages], 1 + the stage's last operation */
	struct visits path[LANES];	/* of those that critical_paths_find() was asked for */
};

struct critical_paths critical_paths_new(const struct evaluator *);
void critical_paths_free(struct critical_paths *);
/* The paths of the first N plans, those that evaluator_path() finds; returns the step times of all, ms. */
struct lanes critical_paths_find(struct critical_paths *, int n);

#endif
