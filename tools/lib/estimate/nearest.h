/* If no configuration fits: the configuration that needs least memory, with advice to reduce its memory. */
#ifndef NEAREST_H
#define NEAREST_H

#include "estimator.h"

struct nearest {
	struct configuration of;
	double over;		/* bytes that a device of STAGE needs; INFINITY: no configuration yet */
	int stage;		/* stage that needs most memory */
};

struct nearest nearest_none(void);
void nearest_offer(struct nearest *, struct estimator *, const struct configuration *);
/* Print a line such as "the nearest needs 2,310 MB more on stage 0: ..." to stderr. */
void nearest_say(const struct nearest *, struct estimator *, const struct cluster *);

#endif
