/* Anchors: measured runs, from which the times of other configurations are extrapolated. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "estimator.h"

#define ANCHOR_REPEAT 0.015	/* relative error of a measured time, before repeated runs determine it */

struct anchor {
	struct configuration of;
	struct architecture net;	/* the network as it ran; its texts belong to the network of the run */
	struct measured_layer layer[CLASSES_MOST], head, tail;
	double error;			/* relative standard deviation of the layer times */
	double optimizer;		/* s of the step outside the pipeline, without collectives; below 0: unknown */
	double step;			/* s of a step; 0: unknown */
	/* Values computed for the anchor's own configuration, set when the cluster is known. */
	struct costs then;
	double optimizer_then;
};

/*
 * Replace the computed times of K's layers by extrapolated ones, and set their errors. K's division must be set.
 * WITHOUT: index of an anchor to omit; -1: none.
 *
 * Anchors with the same shapes give the times directly. If none has them, each computed time is multiplied by a mean of
 * measured / computed. The mean is over the three nearest anchors of the same regime, weighted by distance. If no
 * anchor has the regime, only the errors of the computed times are set.
 */
void anchors_apply(const struct measured *, const struct architecture *, int without, struct costs *k);
/* The time of a step outside the pipeline, without collectives, as a line over the computed time, fitted to anchors. */
struct besides {
	bool known;
	double base, rate;		/* base: s; rate: s per computed s */
	double least, most;		/* computed s: minimum and maximum over the anchors */
};
struct besides anchors_besides(const struct measured *, int without);
double besides_time(const struct besides *, double computed);
struct grounds besides_grounds(const struct besides *, double computed);
/*
 * Prepare the anchors of *M, which takes ownership of them. Compute their values, and estimate errors by predicting
 * each anchor from all other anchors.
 */
void anchors_prepare(struct measured *m, const struct cluster *, const struct estimating *);

#endif
