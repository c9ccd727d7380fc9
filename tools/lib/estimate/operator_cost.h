/* Costs of layers and ends from a table of operators of one device, and the work after the pipeline. */
#ifndef OPERATOR_COST_H
#define OPERATOR_COST_H

#include "lib/cost/collective.h"
#include "lib/cost/layer_cost.h"
#include "lib/operator/operator_table.h"

/*
 * Replace the times of K's layers and ends, whose division is set, by sums over their operators:
 *     sustain x time + gap of a product or an attention, bytes / bandwidth + gap x kernels of bytes,
 *     a collective in full, or beside a product P: max(0, C - P) + contention x min(C, P).
 * Layers that are not in the lists of operators keep their computed times. Sets the sources and errors of K.
 */
void operators_apply(const struct operator_table *, const struct collectives *, const struct architecture *,
    const struct cluster *, double imbalance, struct costs *k);

/*
 * Return the seconds of a device after the pipeline, without collectives. Gradients are zeroed, checked, scaled (if
 * REPLICAS is above 1) and clipped by their norm; Adam updates and casts the weights. DENSE and ROUTED: parameters of
 * the device; SHARD: those that it updates.
 */
double operators_optimizer(const struct operator_table *, double dense, double routed, double shard, double replicas);

/* An operator that is not measured. */
struct operator_gap {
	struct device_operator question;
	double time;		/* s, of one layer or end and one micro-batch */
	double error;		/* relative standard deviation */
	int class;		/* of layers; -1: an end of the network */
};
/*
 * Add to *GAPS, an array of *N that the caller frees, the operators of the layers and ends of a division that are not
 * measured. Texts in questions are constant.
 */
void operators_missing(const struct operator_table *, const struct architecture *, const struct cluster *,
    const struct division *, double imbalance, struct operator_gap **gaps, size_t *n);

#endif
