/* What a step has outside its micro-batches: reduction of gradients, gathering of parameters, the optimizer. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "parameters.h"
#include "traffic.h"

struct shards {		/* over how many devices optimizer states and more are divided */
	double dense, routed;
};
struct shards shards_of(const struct configuration *);

/* Routes of a configuration's groups; they depend neither on micro-batches nor on chunks. */
struct reduction {
	int dp, tp, cp, pp, ep, etp, zero, shard;	/* what it is for */
	struct shards shards;
	struct route dense, routed;		/* zero 0: of all replicas, else of a group of shards */
	struct route dense_gather, routed_gather;	/* of parameters */
	struct route between_dense, between_routed;	/* groups of shards */
	struct route tied;			/* first and last stage */
	struct route transfer;			/* from a stage to the next */
};
struct reduction reduction_of(const struct architecture *, const struct cluster *, const struct collectives *,
    const struct configuration *);
bool reduction_is_for(const struct reduction *, const struct configuration *);

struct outside {
	double all;		/* s of communication */
	double exposed;		/* s of it that is not hidden */
	double optimizer;	/* s */
};
/* Of a stage with PARAMETERS on a device, whose micro-batch takes FORWARD and BACKWARD. */
struct outside reduction_times(const struct reduction *, const struct architecture *, const struct cluster *,
    const struct configuration *, struct parameters, double forward, double backward);
/* Add the gradients of an embedding that first and last stage share. */
void reduction_tied(const struct reduction *, const struct architecture *, const struct configuration *,
    struct outside *);

#endif
