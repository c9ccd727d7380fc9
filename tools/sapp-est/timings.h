/* Timing records, in the place of computed times of layers. */
#ifndef TIMINGS_H
#define TIMINGS_H

#include "lib/record/architecture.h"
#include "lib/record/measurement.h"
#include "lib/strategy/measured.h"

enum { TIMED_PHASES = 3 };		/* forward, backward, recompute */

struct timed {				/* the layers of one name */
	char *name;
	int instances;
	double total[TIMED_PHASES];	/* ms */
	double passes[TIMED_PHASES];	/* of a layer in a step, with all its micro-batches */
};

struct timings {
	int n;
	struct timed *at;
	int micro_batches;		/* of the run that was timed; 0: not known */
};

void timings_take(struct timings *, const struct timing *);
/*
 * Times of layers that no layer record gives. Names that are no layers of the network are left out, with a message;
 * exits naming AT when the number of micro-batches is not known.
 */
void timings_apply(struct timings *, struct measured *, const struct architecture *, struct place at);
void timings_free(struct timings *);

#endif
