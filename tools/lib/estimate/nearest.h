/* The configuration that exceeds memory least, if none fits, and what would help. */
#ifndef NEAREST_H
#define NEAREST_H

#include "estimator.h"

struct nearest {
	struct configuration of;
	double over;		/* bytes; INFINITY: none yet */
	int stage;
};

struct nearest nearest_none(void);
void nearest_offer(struct nearest *, struct estimator *, const struct configuration *);
/* Print "the nearest needs 2,310 MB more on stage 0: ..." to stderr. */
void nearest_say(const struct nearest *, struct estimator *, const struct cluster *);

#endif
