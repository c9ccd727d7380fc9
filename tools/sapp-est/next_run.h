/* Among configurations with overlapping intervals, find the short run that contributes most to finding the shortest. */
#ifndef NEXT_RUN_H
#define NEXT_RUN_H

#include <stdio.h>

#include "lib/estimate/estimator.h"
#include "lib/record/architecture.h"
#include "lib/record/cluster.h"

enum { NEXT_RIVALS = 20 };		/* after the winner */

/* Uncertain parts of a step's logarithm, by the run that would determine them. */
struct contender {
	struct configuration of;	/* without its texts */
	struct division layers;		/* shapes of its layers */
	double members, nodes;		/* of its replicas */
	double step;			/* s */
	/* Layers with their ends, and replicas: fraction of the step, and error. */
	double share[2], swing[2];
	double short_time;		/* s of a step of the run for its layers */
};

struct next_run {
	int n;
	struct contender at[1 + NEXT_RIVALS];	/* the first is the winner */
	double repeat;			/* error of a measured time */
};

/* Add a configuration; only the first 20 after the winner are kept. */
void next_run_add(struct next_run *, const struct configuration *, const struct appraisal *, const struct cluster *,
    const struct architecture *);
/* Write the run record; false if no run would help. */
bool next_run_write(FILE *, const struct next_run *, const struct cluster *);

#endif
