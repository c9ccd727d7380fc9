/*
 * Estimates of configurations: memory of each stage, time of a step, and a bound below every plan, from the shapes of
 * network and cluster alone. Seconds and bytes. sapp-est(1) has the equations.
 */
#ifndef ESTIMATOR_H
#define ESTIMATOR_H

#include "layer_cost.h"
#include "measured.h"
#include "stage_split.h"

enum step_part { STEP_FORWARD, STEP_BACKWARD, STEP_HEAD, STEP_TP, STEP_CP, STEP_EP, STEP_PP, STEP_DP, STEP_OPTIMIZER,
	STEP_BUBBLE, STEP_PARTS };
enum memory_part { MEMORY_STATIC, MEMORY_ACTIVATION, MEMORY_LOGITS, MEMORY_RESERVE, MEMORY_PARTS };

struct estimator;	/* remembers what configurations have in common */

struct estimating {
	double imbalance;	/* rows of the busiest device's experts over the mean */
	bool noncausal;		/* mfu counts all of the attention's operations */
	struct measured measured;
};

/* All of them must outlive it. */
struct estimator *estimator_new(const struct architecture *, const struct cluster *, const struct estimating *);
/* With anchors that are prepared, and stay the caller's; one of them, from 0, is left out unless it is -1. */
struct estimator *estimator_without(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *anchors, int without);
void estimator_free(struct estimator *);

/* What ranking takes. */
struct brief {
	int recompute;		/* enum recomputation: of what was asked for, or the first that fits, or full */
	bool fits;
	double step_time;	/* s */
	double lower_bound;	/* s */
};
struct brief estimate_briefly(struct estimator *, const struct configuration *);

/* Can any plan of it be shorter than so many seconds, as far as layers are whole and memory is limited? */
bool estimate_reaches(struct estimator *, const struct configuration *, double time);

/* All that is known. Lists are the estimator's, good until the next call. */
struct appraisal {
	struct brief brief;
	double part[STEP_PARTS];	/* s, which add up to the step */
	double layer_share[LAYER_SHARES];	/* s of all layers, without recomputation */
	const double *memory;		/* bytes, [stages] */
	double memory_part[MEMORY_PARTS];	/* bytes, of the first stage with most */
	double tokens_per_second;	/* a device */
	double mfu;
	double reduction;		/* s, of gradients and parameters between replicas, before overlap */
	double transfer;		/* s, from a stage to the next, before overlap */
	const struct costs *costs;
	const struct stage_split *split;
	struct device_parameters parameters;
	double gather;			/* bytes of parameters gathered */
	double room;			/* memory that the device must have over MEMORY */
	double reserve;			/* bytes, of the cluster beside what is computed */
	double more;			/* bytes that were measured of the worst stage above what is computed */
	/* Of times besides layers and ends: what a step has besides, replicas' collectives, messages of stages. */
	struct grounds besides, network, transfers;
	double share[3];		/* of the step, by enum measured_source */
	bool borrowed;			/* figures of another device, or of networks without experts */
	double left, repeat;		/* as in struct measured; left: below 0 where no run was measured */
	const double *stage_state;	/* bytes of weights, gradients and optimizer, [stages] */
};
struct appraisal estimate_fully(struct estimator *, const struct configuration *);

/* Were layers measured that are of the configuration's program? */
bool estimate_measured(struct estimator *, const struct configuration *);

/* Bytes of weights, gradients and optimizer of parameters on one device. */
double estimate_state(const struct architecture *, const struct configuration *, struct parameters);
/* Bytes of WORK: what a layer has whole in its backward although it is recomputed; of layers that occur in COUNT. */
double estimate_work(const struct costs *, const struct architecture *, const int count[CLASSES_MOST],
    int recompute);
/* Bytes that a stage with so many LAYERS of each class holds all the time: stand-ins and workspace. */
double estimate_held(const struct costs *, const struct architecture *, const struct configuration *,
    const int layers[CLASSES_MOST]);

#endif
