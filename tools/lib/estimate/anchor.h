/* Anchors: measured runs, from which times of other configurations are extrapolated. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "estimator.h"

#define ANCHOR_REPEAT 0.015	/* relative error of a measured time, until runs determine it */

struct anchor {
	struct configuration of;
	struct architecture net;	/* the network as it ran; its texts belong to the network of the run */
	struct measured_layer layer[CLASSES_MOST], head, tail;
	double error;			/* relative, of the layer times */
	double optimizer;		/* s of a step outside pipeline and collectives; below 0: unknown */
	double step;			/* s; 0: unknown */
	/* Computed values, set when the cluster is known. */
	struct costs then;
	double optimizer_then;
};

/*
 * Replace the computed times of K's layers by extrapolated ones, with their errors; K's division must be set. Anchors
 * with the same shapes give the times. Without these, times are computed and multiplied by measured / computed of the
 * three nearest anchors of the same regime, weighted by distance. Without an anchor of the same regime only the errors
 * of computed times are set. WITHOUT: index of an anchor to omit.
 */
void anchors_apply(const struct measured *, const struct architecture *, int without, struct costs *k);
/* Time outside pipeline and collectives: a line through the anchors' times, over computed time. */
struct besides {
	bool known;
	double base, rate;		/* s; per computed s */
	double least, most;		/* computed s, minimum and maximum over anchors */
};
struct besides anchors_besides(const struct measured *, int without);
double besides_time(const struct besides *, double computed);
struct grounds besides_grounds(const struct besides *, double computed);
/* Take over the anchors of *M, compute their values, and estimate their errors from each other. */
void anchors_prepare(struct measured *m, const struct cluster *, const struct estimating *);

#endif
