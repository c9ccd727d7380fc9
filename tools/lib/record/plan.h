/* The plan record: which layers each piece holds, how they are recomputed, and the step time. */
#ifndef PLAN_H
#define PLAN_H

#include "lib/field/field.h"
#include "pipeline.h"
#include "recompute.h"

enum plan_origin { PLAN_PLANNER, PLAN_NAIVE, PLAN_MANUAL };
enum plan_status { PLAN_OPTIMAL, PLAN_FEASIBLE, PLAN_INFEASIBLE };

/* Numbers of layers of one BODY layer: for each kind of recomputation in use, a grid [chunk][stage]. */
struct body_counts {
	uint64_t given;
	char *name;			/* name of the BODY layer */
	struct grid kind[RECOMPUTE_KINDS];	/* chunks == 0: the plan does not use the kind */
};

struct plan {
	uint64_t given;
	char *name;
	int origin;			/* enum plan_origin */
	int schedule;			/* enum schedule_kind */
	int interleave;
	int micro_batches;		/* 0: as in the pipeline record */
	struct array counts;		/* of struct body_counts, in the order of the BODY layers */
	struct array ends;		/* of struct body_counts: unbound HEAD and TAIL layers; absent: none */
	/* lists of the training YAML, [chunk][stage] */
	struct grid offset, recompute, select_recompute, select_comm_recompute;
	double step_time;		/* ms, from a simulation */
	double step_p50, step_p90;	/* ms, median and 90 % quantile; given if times vary */
	double lower_bound;		/* ms, proved minimum of the step over all plans that answer the question */
	double gap;			/* step_time / lower_bound - 1 */
	int status;			/* enum plan_status */
	char *picture;			/* file name of sapp-plot's drawing; absent: made from the plan's name */
	char *target;		/* framework that can run every plan considered; NULL: plans of any framework count */
	double solve_seconds;
	double excess;		/* if infeasible: MB by which every memory limit must rise before this plan fits */
	double excess_at_least;		/* if infeasible: MB, proved minimum of excess over all plans */
	int binding_stage;		/* if infeasible: the stage that exceeds its limit by excess */
};

extern const struct fields plan_fields, body_counts_fields;
extern const char *const plan_status_names[];

/* Return the shape of the plan's pipeline. ASKED: its pipeline record; NULL: use the plan's own members. */
struct shape plan_shape(const struct plan *, const struct pipeline *asked);
void plan_check(const struct plan *, struct place at);
/* Sum the layers of all bodies by kind of recomputation into KIND, grids of CHUNKS x STAGES. Caller frees the grids. */
void plan_kinds(const struct plan *, int chunks, int stages, struct grid kind[RECOMPUTE_KINDS]);

#endif
