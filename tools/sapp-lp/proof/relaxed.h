/*
 * Relaxed: the problem in a form suitable for certificates. Transfers keep no stage busy, and links neither delay
 * backwards nor leave activations on the device. So no plan takes longer than in the problem itself, and no stage needs
 * more memory.
 */
#ifndef RELAXED_H
#define RELAXED_H

#include "sapp-lp/model/problem.h"

struct relaxed_proof {
	struct network net;		/* owns its bodies; the rest belongs to the problem */
	struct devices devices;
	struct problem problem;
	struct candidate plan;		/* the plan's layers, recomputed no slower */
	double step;			/* ms, its step, which no bound exceeds; INFINITY: unknown */
};

/* Return whether the problem needs relaxing. */
bool relaxed_needed(const struct problem *);
/* Contains pointers into itself: do not copy. The problem must outlive it. */
void relaxed_open(struct relaxed_proof *, const struct problem *, const struct candidate *plan);
void relaxed_close(struct relaxed_proof *);

#endif
