/*
 * Estimates of configurations: memory of each stage, time of a step, and a bound below every plan, from the shapes of
 * network and cluster. Seconds and bytes. sapp-est(1) has the equations.
 */
#ifndef ESTIMATOR_H
#define ESTIMATOR_H

#include "lib/cost/layer_cost.h"
#include "lib/cost/stage_split.h"
#include "measured.h"

enum step_part { STEP_FORWARD, STEP_BACKWARD, STEP_HEAD, STEP_TP, STEP_CP, STEP_EP, STEP_PP, STEP_DP, STEP_OPTIMIZER,
	STEP_BUBBLE, STEP_PARTS };
enum memory_part { MEMORY_STATIC, MEMORY_ACTIVATION, MEMORY_LOGITS, MEMORY_RESERVE, MEMORY_PARTS };

struct estimator;	/* caches values shared by configurations */

struct estimating {
	double imbalance;	/* rows of the busiest device's experts / mean */
	bool noncausal;		/* mfu counts the masked operations of attention also */
	struct measured measured;
};

/* Create an estimator; the arguments must outlive it. */
struct estimator *estimator_new(const struct architecture *, const struct cluster *, const struct estimating *);
/* Create an estimator with prepared anchors, which stay the caller's, omitting anchor WITHOUT (-1: none). */
struct estimator *estimator_without(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *anchors, int without);
void estimator_free(struct estimator *);

/* The figures needed for ranking. */
struct brief {
	int recompute;		/* enum recomputation: as requested, or the first that fits, or full */
	bool fits;
	double step_time;	/* s */
	double lower_bound;	/* s */
};
struct brief estimate_briefly(struct estimator *, const struct configuration *);

/* Return whether some plan may be shorter than TIME seconds, with whole layers and limited memory. */
bool estimate_reaches(struct estimator *, const struct configuration *, double time);

/* The full estimate. Lists belong to the estimator and are valid until its next call. */
struct appraisal {
	struct brief brief;
	double part[STEP_PARTS];	/* s; they sum to the step */
	double layer_share[LAYER_SHARES];	/* s of all layers, without recomputation */
	const double *memory;		/* bytes, [stages] */
	double memory_part[MEMORY_PARTS];	/* bytes, on the first stage with the maximum */
	double tokens_per_second;	/* per device */
	double mfu;
	double reduction;		/* s, of gradients and parameters between replicas, before overlap */
	double transfer;		/* s, to the next stage, before overlap */
	const struct costs *costs;
	const struct stage_split *split;
	struct device_parameters parameters;
	double gather;			/* bytes of gathered parameters */
	double room;			/* required device memory / memory */
	double reserve;			/* bytes of the cluster's reserve, added to computed memory */
	double more;			/* bytes, measured minus computed memory of the worst stage */
	/*
	 * Sources of times other than layers and ends: outside pipeline and collectives, collectives between replicas,
	 * messages.
	 */
	struct grounds besides, network, transfers;
	double share[3];		/* fraction of the step by enum measured_source */
	double borrowed;		/* deviation of figures not fitted to such steps; 0: fitted */
	double left, repeat;		/* as in struct measured; left: below 0 if no run was measured */
	const double *stage_state;	/* bytes of weights, gradients and optimizer state, [stages] */
};
struct appraisal estimate_fully(struct estimator *, const struct configuration *);

/* Return whether layers of the configuration's program were measured. */
bool estimate_measured(struct estimator *, const struct configuration *);

/* Return the bytes of weights, gradients and optimizer state for parameters on a device. */
double estimate_state(const struct architecture *, const struct configuration *, struct parameters);
/* Return the bytes of WORK: what a layer has in its backward despite recomputation; maximum over layers with COUNT. */
double estimate_work(const struct costs *, const struct architecture *, const int count[CLASSES_MOST],
    int recompute);
/* Return the bytes that a stage with LAYERS of each class always holds: stand-ins and workspace. */
double estimate_held(const struct costs *, const struct architecture *, const struct configuration *,
    const int layers[CLASSES_MOST]);

#endif
