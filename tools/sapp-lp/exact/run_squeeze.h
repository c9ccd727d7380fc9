/*
 * Run squeeze: the bound of squeeze.h for very many stages of one chunk. There fixing by one path at a time is slow, so
 * runs.h fixes by the paths of all stages at once. Run squeeze also makes plans from the runs left below a target: the
 * plans of least length under means of paths.
 */
#ifndef RUN_SQUEEZE_H
#define RUN_SQUEEZE_H

#include "sapp-lp/model/problem.h"

struct run_squeeze {
	const struct problem *p;
	struct runs *runs;	/* NULL: too many runs */
	struct candidate plan;	/* the shortest fitting plan, from which critical paths are taken */
	double step_time;	/* ms, step of this plan */
	double bound;		/* ms, below every plan, before patterns_proved() subtracts rounding */
	bool done;		/* whether further rounds would find nothing new */
};

/*
 * Return whether the problem has one chunk per stage and enough stages for run squeeze to be better than branch and
 * price.
 */
bool run_squeeze_pays(const struct problem *);
/* Start from PLAN, which fits and has a step of STEP_TIME ms. */
struct run_squeeze run_squeeze_new(const struct problem *, const struct candidate *plan, double step_time);
void run_squeeze_free(struct run_squeeze *);
/* Take a shorter plan as the start of the next round. */
void run_squeeze_take(struct run_squeeze *, const struct candidate *plan, double step_time);
/*
 * Run rounds with paths of the current plan until neither the bound nor the plan improves, or until DEADLINE (s of
 * clock_now()).
 */
void run_squeeze_run(struct run_squeeze *, double deadline);

#endif
