/*
 * Runs left: the runs of layers that a stage of one chunk may hold in a plan shorter than a target, as sapp-check(1)
 * will have them: what it drops by a mean of paths is dropped here, too, but for rounding.
 */
#ifndef RUNS_LEFT_H
#define RUNS_LEFT_H

#include "sapp-lp/model/problem.h"

struct worth {			/* of a mean of paths */
	double *forward, *backward;	/* [stages], how often it has each stage's operations, times the pace */
	double delay;		/* ms */
};

struct runs_left {
	const struct problem *p;
	double target;		/* ms; INFINITY: every plan counts */
	int width;		/* layers of the largest run, and 1 */
	size_t runs;		/* stages * (layers + 1) * width */
	unsigned char *alive;	/* [runs], the caller's: those that are left */
	struct times *least;	/* [stages][contents], ms */
	double *cost;		/* the same, scratch */
	double *before, *after;	/* [stages + 1][layers + 1] */
};

/* False: there are too many. */
bool runs_left_open(struct runs_left *, const struct problem *, double target);
void runs_left_free(struct runs_left *);
/* ALIVE[runs]: those that fit, and do not keep their stage busy until the target. */
void runs_left_begin(const struct runs_left *, unsigned char *alive);
size_t runs_left_at(const struct runs_left *, int stage, int first, int layers);
/* Drop what the mean shows; how many, SIZE_MAX: nothing is left. *MS: the least of all layouts. */
size_t runs_left_drop(struct runs_left *, const struct worth *, double *ms);
/* Drop what is in no layout; false: there is none. */
bool runs_left_any(struct runs_left *);

#endif
