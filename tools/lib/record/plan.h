/* The plan record: the placement and recomputation of layers, and the step time. */
#ifndef PLAN_H
#define PLAN_H

#include "lib/field/field.h"
#include "pipeline.h"
#include "recompute.h"

enum plan_origin { PLAN_PLANNER, PLAN_NAIVE, PLAN_MANUAL };
enum plan_status { PLAN_OPTIMAL, PLAN_FEASIBLE, PLAN_INFEASIBLE };

/* Layers of one BODY layer: a [chunk][stage] grid for each kind of recomputation in use. */
struct body_counts {
	uint64_t given;
	char *name;			/* name of the BODY layer */
	struct grid kind[RECOMPUTE_KINDS];	/* chunks == 0: unused kind */
};

struct plan {
	uint64_t given;
	char *name;
	int origin;			/* enum plan_origin */
	int schedule;			/* enum schedule_kind */
	int interleave;
	int micro_batches;		/* 0: the pipeline record's */
	struct array counts;		/* of struct body_counts, in the order of the BODY layers */
	struct array ends;		/* of struct body_counts: free HEAD and TAIL layers; absent: none */
	struct grid offset, recompute, select_recompute, select_comm_recompute;	/* [chunk][stage] */
	double step_time;		/* ms, simulated */
	double step_p50, step_p90;	/* ms, quantiles if times vary */
	double lower_bound;		/* ms, minimum for all plans of this question */
	double gap;			/* step_time / lower_bound - 1 */
	int status;			/* enum plan_status */
	char *picture;			/* file name for sapp-plot's drawing; absent: from the plan's name */
	char *target;			/* framework that all considered plans must suit; NULL: any */
	double solve_seconds;
	double excess;			/* infeasible: MB by which the memory limits must rise for this plan */
	double excess_at_least;		/* infeasible: proved minimum of excess over all plans */
	int binding_stage;		/* infeasible: the stage with that excess */
};

extern const struct fields plan_fields, body_counts_fields;
extern const char *const plan_status_names[];

/* Return the shape of the plan's pipeline. ASKED: the pipeline record; NULL: use the plan alone. */
struct shape plan_shape(const struct plan *, const struct pipeline *asked);
void plan_check(const struct plan *, struct place at);
/* Sum the layers of all bodies by kind of recomputation into KIND: grids of CHUNKS x STAGES; caller frees. */
void plan_kinds(const struct plan *, int chunks, int stages, struct grid kind[RECOMPUTE_KINDS]);

#endif
