/* Anchors: runs that were measured, from which what other configurations take is carried over. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "estimator.h"

#define ANCHOR_REPEAT 0.015	/* what a time that was measured is off, until runs say */

struct anchor {
	struct configuration of;
	struct architecture net;	/* as it ran; its texts are the network's */
	struct measured_layer layer[CLASSES_MOST], head, tail;
	double error;			/* relative, of their times */
	double optimizer;		/* s of a step besides pipeline and collectives; below 0: not known */
	double step;			/* s; 0: not known */
	/* As they are computed, once there is a cluster. */
	struct costs then;
	double optimizer_then;
};

/*
 * Put times of K's layers, whose division is set, in the place of computed ones, and say how far they may be off: those
 * of the anchors of its shapes; else those of the nearest three of its regime, each times computed over computed,
 * weighted by how near they are; of another regime, what is computed times what any are off. Anchor WITHOUT, from 0, is
 * left out.
 */
void anchors_apply(const struct measured *, const struct architecture *, int without, struct costs *k);
/* What a step has besides pipeline and collectives: a line through what anchors had, by what is computed. */
struct besides {
	bool known;
	double base, rate;		/* s; by computed s */
	double least, most;		/* computed s of the anchors */
};
struct besides anchors_besides(const struct measured *, int without);
double besides_time(const struct besides *, double computed);
struct grounds besides_grounds(const struct besides *, double computed);
/* Anchors of *M, its own from now on, with what is computed of them, and how good they are at each other. */
void anchors_prepare(struct measured *m, const struct cluster *, const struct estimating *);

#endif
