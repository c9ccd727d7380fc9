/* Of configurations that do not fit, the one that comes nearest, and what would help it. */
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
/* "the nearest needs 2,310 MB more on stage 0: ..." on stderr. */
void nearest_say(const struct nearest *, struct estimator *, const struct cluster *);

#endif
