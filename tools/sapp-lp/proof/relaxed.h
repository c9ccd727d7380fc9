/*
 * Relaxed: the problem in a form that certificates support. In this form transfers keep no stage busy and offloading
 * takes no time: it delays no backward, and offloaded activations leave the device at once. So no plan takes longer
 * than in the problem itself, and no stage needs more memory.
 */
#ifndef RELAXED_H
#define RELAXED_H

#include "sapp-lp/model/problem.h"

struct relaxed_proof {
	struct network net;		/* own bodies; everything else belongs to the problem */
	struct devices devices;
	struct problem problem;
	struct candidate plan;		/* the layers of PLAN, with recomputation that takes no more time */
	double step;			/* ms, the step of this plan, which no bound exceeds; INFINITY: unknown */
};

/* Return whether the problem needs relaxing. */
bool relaxed_needed(const struct problem *);
/*
 * Create the relaxed problem. It contains pointers into itself, so it must not be copied. The problem must outlive it.
 */
void relaxed_open(struct relaxed_proof *, const struct problem *, const struct candidate *plan);
void relaxed_close(struct relaxed_proof *);

#endif
