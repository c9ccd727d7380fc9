/* Timings: timing records, which replace computed times of layers. */
#ifndef TIMINGS_H
#define TIMINGS_H

#include "lib/estimate/measured.h"
#include "lib/record/architecture.h"
#include "lib/record/measurement.h"

enum { TIMED_PHASES = 3 };		/* forward, backward, recompute */

struct timed {				/* the layers of one name */
	char *name;
	int instances;
	double total[TIMED_PHASES];	/* ms */
	double passes[TIMED_PHASES];	/* passes per layer and step, over all micro-batches */
};

struct est_timings {
	int n;
	struct timed *at;
	int micro_batches;		/* of the timed run; 0: unknown */
};

void timings_take(struct est_timings *, const struct timing *);
/*
 * Use the timings of layers without layer records. Ignores names that are not in the network, with a message. Exits,
 * naming AT, if the number of micro-batches is unknown.
 */
void timings_apply(struct est_timings *, struct measured *, const struct architecture *, struct place at);
void est_timings_free(struct est_timings *);

#endif
