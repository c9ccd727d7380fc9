/* Of configurations whose intervals overlap: the short run that tells most of which is the shortest. */
#ifndef NEXT_RUN_H
#define NEXT_RUN_H

#include <stdio.h>

#include "lib/record/architecture.h"
#include "lib/record/cluster.h"
#include "lib/strategy/estimator.h"

enum { NEXT_RIVALS = 20 };		/* behind the winner */

/* What of a step's logarithm is unsure, by what a run would tell. */
struct contender {
	struct configuration of;	/* its texts are not kept */
	struct division layers;		/* shapes of its layers */
	double members, nodes;		/* of its replicas */
	double step;			/* s */
	/* Of layers with their ends, of replicas: part of the step, and what that is off. */
	double share[2], swing[2];
	double short_time;		/* s of a step of the run that tells of its layers */
};

struct next_run {
	int n;
	struct contender at[1 + NEXT_RIVALS];	/* the first is the winner */
	double repeat;			/* what a time is off that is measured */
};

/* Those beyond the twentieth behind the winner are left out. */
void next_run_add(struct next_run *, const struct configuration *, const struct appraisal *, const struct cluster *,
    const struct architecture *);
/* The run record, unless none tells anything; false then. */
bool next_run_write(FILE *, const struct next_run *, const struct cluster *);

#endif
