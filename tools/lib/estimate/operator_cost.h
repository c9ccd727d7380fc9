/* Costs of layers, embedding and head from the times of operators of one device, and the work after the pipeline. */
#ifndef OPERATOR_COST_H
#define OPERATOR_COST_H

#include "lib/cost/collective.h"
#include "lib/cost/layer_cost.h"
#include "lib/operator/operator_table.h"

/*
 * Replace the times of K's layers and ends by sums over their operators; K's division must be set. Set the sources and
 * errors of K. Layers without a list of operators keep their computed times.
 *
 * A product or an attention takes sustain x time + gap. Memory traffic takes bytes / bandwidth + gap x kernels. A
 * collective of time C takes C, but max(0, C - P) + contention x min(C, P) if it runs next to a product of time P.
 */
void operators_apply(const struct operator_table *, const struct collectives *, const struct architecture *,
    const struct cluster *, double imbalance, struct costs *k);

/*
 * Return the seconds of a device after the pipeline, without collectives. Gradients are zeroed, checked, scaled if
 * REPLICAS is above 1, and clipped by their norm. Adam then updates and casts the weights. DENSE and ROUTED: parameters
 * on the device. SHARD: number of parameters that the device updates.
 */
double operators_optimizer(const struct operator_table *, double dense, double routed, double shard, double replicas);

/* An operator whose time was not measured. */
struct operator_gap {
	struct device_operator question;
	double time;		/* s, in one layer or end for one micro-batch */
	double error;		/* relative standard deviation */
	int class;		/* layer class that has it; -1: embedding or head */
};
/*
 * Append to *GAPS the unmeasured operators of the layers and ends of a division. *GAPS is an array of *N that the
 * caller frees. Texts in the questions are constant.
 */
void operators_missing(const struct operator_table *, const struct architecture *, const struct cluster *,
    const struct division *, double imbalance, struct operator_gap **gaps, size_t *n);

#endif
