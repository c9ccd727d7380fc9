/* Answer: the planner's answer to one question, a plan and its bound; as a plan record, or as a report for people. */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/heuristic/nearest.h"

struct answer {
	enum plan_status status;
	struct candidate best;	/* where none fits: the plan that exceeds the limits least */
	double step_time;	/* ms; INFINITY: none fits */
	double lower_bound;	/* ms, on every plan for this problem */
	double told;		/* ms, the bound of an earlier answer; 0: none */
	double seconds;		/* spent */
	struct excess excess;	/* where none fits: by how much */
	struct path_cuts paths;	/* that were generated for the bound, if they were asked for */
};

/*
 * What is wrong when its bound is above its step, a fault of ours or of -known: planning ends there, and nothing that
 * was found can be trusted. NULL: nothing is. Caller frees.
 */
char *answer_fault(const struct answer *);
/* Its bound is BOUND at the least, from proved_bound(). */
void answer_raise(struct answer *, double bound);
/* Set the status by the step and the bound. */
void answer_grade(struct answer *);
double answer_gap(const struct answer *);	/* INFINITY: no bound */
void answer_free(struct answer *);

/* The plan record of an answer; free with fields_free(&plan_fields). */
struct plan answer_plan(const struct problem *, const struct answer *, const char *name);

/* The plan for people: settings to paste, how good it is, bubble and memory. */
void answer_report(FILE *, const struct problem *, const struct plan *, const struct pipeline *asked);

#endif
