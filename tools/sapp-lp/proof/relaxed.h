/*
 * Relaxed: a problem that certificates reach, in which no plan is longer, nor any stage fuller: transfers keep no stage
 * busy, no link makes a backward wait or leaves activations behind.
 */
#ifndef RELAXED_H
#define RELAXED_H

#include "sapp-lp/model/problem.h"

struct relaxed {
	struct network net;		/* its own bodies; the rest is the problem's */
	struct devices devices;
	struct problem problem;
	struct candidate plan;		/* with as many layers in each piece, recomputed no slower */
	double step;			/* of it, ms: no bound is above that; INFINITY: not known */
};

/* Is the problem no such one itself? */
bool relaxed_needed(const struct problem *);
/* Pointers into it are in it: it is not to be copied. The problem must outlive it. */
void relaxed_open(struct relaxed *, const struct problem *, const struct candidate *plan);
void relaxed_close(struct relaxed *);

#endif
