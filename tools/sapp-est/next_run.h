/*
 * Next run: of several configurations with overlapping intervals, find the short run that helps most to decide which is
 * the shortest.
 */
#ifndef NEXT_RUN_H
#define NEXT_RUN_H

#include <stdio.h>

#include "lib/estimate/estimator.h"
#include "lib/record/architecture.h"
#include "lib/record/cluster.h"

enum { NEXT_RIVALS = 20 };		/* number of configurations in addition to the winner */

/* Uncertain parts of the logarithm of a configuration's step, by the run that would determine each part. */
struct contender {
	struct configuration of;	/* without its texts */
	struct division layers;		/* shapes of its layers */
	double members, nodes;		/* of the groups of its replicas */
	double step;			/* s */
	/* Layers with the model's ends, and replicas: fraction of the step, and error. */
	double share[2], swing[2];
	double short_time;		/* s, step of the short run for its layers */
};

struct next_run {
	int n;
	struct contender at[1 + NEXT_RIVALS];	/* the winner first */
	double repeat;			/* error of a measured time */
};

/* Add a configuration. Only the winner and the first NEXT_RIVALS after it are kept. */
void next_run_add(struct next_run *, const struct configuration *, const struct appraisal *, const struct cluster *,
    const struct architecture *);
/* Write the run record. Return false if no run would help. */
bool next_run_write(FILE *, const struct next_run *, const struct cluster *);

#endif
