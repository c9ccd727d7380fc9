/*
 * Answer: the planner's answer to one question, a plan and a bound. It is printed as a plan record or as a report for
 * people.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/heuristic/nearest.h"

struct answer {
	enum plan_status status;
	struct candidate best;	/* the best plan; if no plan fits: the plan that exceeds the limits least */
	double step_time;	/* ms; INFINITY: no plan fits */
	double lower_bound;	/* ms, below every plan for this problem */
	double told;		/* ms, bound from an earlier answer; 0: none */
	double seconds;		/* planning time */
	struct excess excess;	/* if no plan fits: the excess of best */
	struct path_cuts paths;	/* paths generated for the bound, if requested */
};

/*
 * Return an error if the bound is above the step (caller frees), otherwise NULL. Such an error is a fault of the
 * planner or of the file of -known. Planning stops, and its results cannot be trusted.
 */
char *answer_fault(const struct answer *);
/* Raise the lower bound to at least BOUND, from proved_bound(). */
void answer_raise(struct answer *, double bound);
/* Set the status of the answer from its step and bound. */
void answer_grade(struct answer *);
/*
 * Search until DEADLINE (s of clock_now()) for a plan with fewer different pieces or lower peaks (heuristic/descent.h),
 * and replace the plan by it. The step of the new plan may be longer by 0.1 %, or by GAP if GAP is less, but not longer
 * than LONGEST ms. If the old step is within GAP of the bound, the new step must be also.
 */
void answer_plainer(const struct problem *, double gap, double longest, double deadline, struct answer *);
double answer_gap(const struct answer *);	/* INFINITY: no bound */
void answer_free(struct answer *);

/* Return the plan record of an answer; free with fields_free(&plan_fields). */
struct plan answer_plan(const struct problem *, const struct answer *, const char *name);

/*
 * Print the plan for people: settings to paste, gap to the bound, bubble and memory. ASKED: the question as a pipeline
 * record.
 */
void answer_report(FILE *, const struct problem *, const struct plan *, const struct pipeline *asked);

#endif
