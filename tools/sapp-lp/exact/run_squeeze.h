/*
 * Run squeeze: the bound of squeeze.h for very many stages of one chunk each, where fixing by one path at a time takes
 * too long: runs.h fixes by the paths of all stages at once.  From the runs left below a target it makes plans, too:
 * those of least length under means of paths.
 */
#ifndef RUN_SQUEEZE_H
#define RUN_SQUEEZE_H

#include "sapp-lp/model/problem.h"

struct run_squeeze {
	const struct problem *p;
	struct runs *runs;	/* NULL: too many */
	struct candidate plan;	/* the shortest so far that fits, whose critical paths are used, */
	double step_time;	/* and its step time, ms */
	double bound;		/* ms, a lower bound on every plan, not yet patterns_proved() */
	bool done;		/* more rounds would find the same */
};

/* Whether the stages are so many, of one chunk each, that it gains over branch and price. */
bool run_squeeze_pays(const struct problem *);
/* PLAN fits and takes STEP_TIME ms. */
struct run_squeeze run_squeeze_new(const struct problem *, const struct candidate *plan, double step_time);
void run_squeeze_free(struct run_squeeze *);
/* A shorter plan, from which the next round begins. */
void run_squeeze_take(struct run_squeeze *, const struct candidate *plan, double step_time);
/* Rounds, each with paths of the plan so far, until neither bound nor plan gains, or until DEADLINE (s of clock.h). */
void run_squeeze_run(struct run_squeeze *, double deadline);

#endif
