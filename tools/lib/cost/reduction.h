/* Time of a step outside its micro-batches: gradient reduction, parameter gathering, optimizer. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "parameters.h"
#include "traffic.h"

struct shards {		/* number of devices that divide optimizer state and more */
	double dense, routed;
};
struct shards shards_of(const struct configuration *);

/* Routes of a configuration's groups; independent of micro-batches and chunks. */
struct reduction {
	int dp, tp, cp, pp, ep, etp, zero, shard;	/* the configuration they belong to */
	struct shards shards;
	struct route dense, routed;		/* zero 0: all replicas, else a group of shards */
	struct route dense_gather, routed_gather;	/* of parameters */
	struct route between_dense, between_routed;	/* between groups of shards */
	struct route tied;			/* first and last stage */
	struct route transfer;			/* to the next stage */
};
/* LARGEST: parameters of the largest layer on a device. */
struct reduction reduction_of(const struct architecture *, const struct cluster *, const struct collectives *,
    const struct configuration *, double largest);
bool reduction_is_for(const struct reduction *, const struct configuration *);

struct outside {
	double all;		/* s of communication */
	double exposed;		/* s of communication that are not hidden */
	double optimizer;	/* s */
};
/* Return the times of a stage with PARAMETERS on a device, and FORWARD and BACKWARD per micro-batch. */
struct outside reduction_times(const struct reduction *, const struct architecture *, const struct cluster *,
    const struct configuration *, struct parameters, double forward, double backward);
/* Add the gradients of an embedding shared by first and last stage. */
void reduction_tied(const struct reduction *, const struct architecture *, const struct configuration *,
    struct outside *);

#endif
