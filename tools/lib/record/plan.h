/* The plan record: which layers go where, which are recomputed, and what is known of the step. */
#ifndef PLAN_H
#define PLAN_H

#include "lib/field/field.h"
#include "pipeline.h"
#include "recompute.h"

enum plan_origin { PLAN_PLANNER, PLAN_NAIVE, PLAN_MANUAL };
enum plan_status { PLAN_OPTIMAL, PLAN_FEASIBLE, PLAN_INFEASIBLE };

/* Layer numbers of one BODY layer: one [chunk][stage] grid for each kind of recomputation that occurs. */
struct body_counts {
	uint64_t given;
	char *name;			/* the BODY layer's */
	struct grid kind[RECOMPUTE_KINDS];	/* chunks == 0: this kind does not occur */
};

struct plan {
	uint64_t given;
	char *name;
	int origin;			/* enum plan_origin */
	int schedule;			/* enum schedule_kind */
	int interleave;
	int micro_batches;		/* 0: the pipeline record's */
	struct array counts;		/* of struct body_counts, in the order of the BODY layers */
	struct array ends;		/* of struct body_counts: HEAD and TAIL layers not bound; absent: none */
	struct grid offset, recompute, select_recompute, select_comm_recompute;	/* [chunk][stage] */
	double step_time;		/* ms, simulated */
	double step_p50, step_p90;	/* ms, quantiles of steps where times vary */
	double lower_bound;		/* ms, no plan for this question is shorter */
	double gap;			/* step_time / lower_bound - 1 */
	int status;			/* enum plan_status */
	char *picture;			/* file that sapp-plot draws it to, beside that of -o; absent: by its name */
	char *target;			/* the framework whose plans alone count; NULL: all do */
	double solve_seconds;
	double excess;			/* infeasible: MB by which the memory limits must be raised for this plan */
	double excess_at_least;		/* infeasible: MB by which any plan exceeds them; only where proved */
	int binding_stage;		/* infeasible: the stage that needs it */
};

extern const struct fields plan_fields, body_counts_fields;
extern const char *const plan_status_names[];

/* What is asked of the pipeline that the plan is for; ASKED: the record, NULL: none, so the plan says all there is. */
struct shape plan_shape(const struct plan *, const struct pipeline *asked);
void plan_check(const struct plan *, struct place at);
/* Layers of all bodies together by kind of recomputation: KIND[kinds], grids of CHUNKS x STAGES to be freed. */
void plan_kinds(const struct plan *, int chunks, int stages, struct grid kind[RECOMPUTE_KINDS]);

#endif
