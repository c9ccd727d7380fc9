/*
 * Run squeeze: the squeeze of squeeze.h for very many stages of one chunk each, whose patterns and paths are too many
 * to be gone through one by one; runs.h goes through them together.  What is left of the runs below a target are the
 * plans in which no stage alone is too long: the best of them against a mean of paths are tried, too.
 */
#ifndef RUN_SQUEEZE_H
#define RUN_SQUEEZE_H

#include "sapp-lp/model/problem.h"

struct run_squeeze {
	const struct problem *p;
	struct runs *runs;	/* NULL: too many */
	struct candidate plan;	/* that fits: the shortest so far, near which paths are looked for, */
	double step_time;	/* and its step time, ms */
	double bound;		/* ms, a lower bound on every plan, not yet patterns_proved() */
	bool done;		/* more rounds would find the same */
};

/* Are there so many stages, of one chunk each, that this is worth its while? */
bool run_squeeze_pays(const struct problem *);
/* PLAN fits and takes STEP_TIME ms. */
struct run_squeeze run_squeeze_new(const struct problem *, const struct candidate *plan, double step_time);
void run_squeeze_free(struct run_squeeze *);
/* A shorter plan, from which the next round begins. */
void run_squeeze_take(struct run_squeeze *, const struct candidate *plan, double step_time);
/*
 * Rounds of paths near the plan, which raise the bound and shorten the plan, until there is no more to gain, or until
 * DEADLINE (s of clock.h).
 */
void run_squeeze_run(struct run_squeeze *, double deadline);

#endif
