/*
 * Run squeeze: the bound of squeeze.h for very many stages of one chunk, where fixing by one path at a time is slow:
 * runs.h fixes by the paths of all stages at once. It also makes plans from the runs left below a target: those of
 * least length under means of paths.
 */
#ifndef RUN_SQUEEZE_H
#define RUN_SQUEEZE_H

#include "sapp-lp/model/problem.h"

struct run_squeeze {
	const struct problem *p;
	struct runs *runs;	/* NULL: too many */
	struct candidate plan;	/* the shortest fitting plan, source of critical paths, */
	double step_time;	/* and its step, ms */
	double bound;		/* ms, below every plan, before patterns_proved() */
	bool done;		/* further rounds would find nothing new */
};

/* Return whether the stages, of one chunk each, are so many that it is better than branch and price. */
bool run_squeeze_pays(const struct problem *);
/* PLAN fits, with a step of STEP_TIME ms. */
struct run_squeeze run_squeeze_new(const struct problem *, const struct candidate *plan, double step_time);
void run_squeeze_free(struct run_squeeze *);
/* Take a shorter plan as the start of the next round. */
void run_squeeze_take(struct run_squeeze *, const struct candidate *plan, double step_time);
/* Run rounds with paths of the current plan until neither bound nor plan improves, or DEADLINE (s of clock.h). */
void run_squeeze_run(struct run_squeeze *, double deadline);

#endif
