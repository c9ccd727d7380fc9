/* Time of a step outside its pipeline: reduction of gradients, gathering of parameters, optimizer. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "parameters.h"
#include "traffic.h"

struct shards {		/* number of devices that divide the state: of dense parameters; of routed parameters */
	double dense, routed;
};
struct shards shards_of(const struct configuration *);

/* Routes for the collectives of a configuration's groups. They do not depend on micro-batches or chunks. */
struct reduction {
	int dp, tp, cp, pp, ep, etp, zero, shard;	/* configuration that the routes belong to */
	struct shards shards;
	/* gradients; among all replicas if zero is 0, else among the devices of a shard group */
	struct route dense, routed;
	struct route dense_gather, routed_gather;	/* gathering of parameters */
	struct route between_dense, between_routed;	/* gradients among shard groups */
	struct route tied;			/* gradient of the embedding, between first and last stage */
	struct route transfer;			/* transfer to the next stage */
};
/* Compute the routes. LARGEST: number of parameters of the largest layer on a device. */
struct reduction reduction_of(const struct architecture *, const struct cluster *, const struct collectives *,
    const struct configuration *, double largest);
bool reduction_is_for(const struct reduction *, const struct configuration *);

struct outside {
	double all;		/* s of all communication */
	double exposed;		/* s of exposed communication */
	double optimizer;	/* s of the optimizer */
};
/* Return the times of a stage with PARAMETERS on a device. FORWARD and BACKWARD: s per micro-batch. */
struct outside reduction_times(const struct reduction *, const struct architecture *, const struct cluster *,
    const struct configuration *, struct parameters, double forward, double backward);
/* Add the reduction of the gradient of an embedding that the first and last stages share. */
void reduction_tied(const struct reduction *, const struct architecture *, const struct configuration *,
    struct outside *);

#endif
