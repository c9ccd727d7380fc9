/*
 * Estimates of configurations from the shapes of network and cluster. They are the memory of each stage, the time of a
 * step, and a bound below the step of every plan. Units are seconds and bytes. The equations are in sapp-est(1).
 */
#ifndef ESTIMATOR_H
#define ESTIMATOR_H

#include "lib/cost/layer_cost.h"
#include "lib/cost/stage_memory.h"
#include "lib/cost/stage_split.h"
#include "measured.h"

enum step_part { STEP_FORWARD, STEP_BACKWARD, STEP_HEAD, STEP_TP, STEP_CP, STEP_EP, STEP_PP, STEP_DP, STEP_OPTIMIZER,
	STEP_BUBBLE, STEP_PARTS };

struct estimator;	/* caches values that configurations have in common */

struct estimating {
	double imbalance;	/* rows for the experts of the busiest device / mean over devices */
	bool noncausal;		/* mfu also counts the masked operations of attention */
	struct measured measured;
};

/* Create an estimator. The arguments must outlive it. */
struct estimator *estimator_new(const struct architecture *, const struct cluster *, const struct estimating *);
/*
 * Create an estimator with ANCHORS that are prepared already and stay the caller's. WITHOUT: index of an anchor to
 * omit; -1: none.
 */
struct estimator *estimator_without(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *anchors, int without);
void estimator_free(struct estimator *);

/* The figures that ranking needs. */
struct brief {
	int recompute;		/* enum recomputation: the configuration's, or the first that fits; full if none fits */
	bool fits;
	double step_time;	/* s */
	double lower_bound;	/* s */
};
struct brief estimate_briefly(struct estimator *, const struct configuration *);

/* Return whether a plan may be shorter than TIME, s, considering whole layers and limited memory. */
bool estimate_reaches(struct estimator *, const struct configuration *, double time);

/* A full estimate. Its lists belong to the estimator and are valid until the estimator's next call. */
struct appraisal {
	struct brief brief;
	double part[STEP_PARTS];	/* s; the sum is the step */
	double layer_share[LAYER_SHARES];	/* s of all layers, by limiting resource, without recomputation */
	const double *memory;		/* bytes, [stage] */
	double memory_part[MEMORY_PARTS];	/* bytes on the stage with most memory, the first of several */
	double tokens_per_second;	/* number per device */
	double mfu;
	double reduction;	/* s of reducing gradients and gathering parameters among replicas, before overlap */
	double transfer;		/* s of a transfer to the next stage, before overlap */
	const struct costs *costs;
	const struct stage_split *split;
	struct device_parameters parameters;
	double gather;			/* bytes of gathered parameters */
	double room;			/* memory that a device must have / memory in use */
	double reserve;			/* bytes of the cluster's reserve; included in memory */
	double more;			/* bytes, measured - computed memory of the stage with most memory */
	/*
	 * Sources of the other times: outside the pipeline without collectives; collectives among replicas; transfers.
	 */
	struct grounds besides, network, transfers;
	double share[3];		/* fraction of the step by enum measured_source */
	/* standard deviation of the logarithm, for figures that were not fitted to such steps; 0: all were fitted */
	double borrowed;
	double left, repeat;		/* as in struct measured; left: below 0 if no run was measured */
	const double *stage_state;	/* bytes of weights, gradients and optimizer state, [stage] */
};
struct appraisal estimate_fully(struct estimator *, const struct configuration *);

/* Return whether a run measured layers of the configuration's program. */
bool estimate_measured(struct estimator *, const struct configuration *);

#endif
