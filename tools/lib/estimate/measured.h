/* Measured figures. They replace computed ones. */
#ifndef MEASURED_H
#define MEASURED_H

#include "lib/cost/collective.h"
#include "lib/cost/layer_cost.h"
#include "lib/operator/operator_table.h"

enum measured_source { SOURCE_COMPUTED, SOURCE_FITTED, SOURCE_MEASURED };

/* Figures of a layer, of the embedding or of the head; below 0: not measured. */
struct measured_layer {
	double forward, backward;		/* s */
	double again[RECOMPUTATIONS];		/* s, increase of the backward, by enum recomputation */
	double memory[RECOMPUTATIONS];		/* bytes kept, by enum recomputation */
	struct {				/* number of layers that each mean is over */
		double forward, backward, again[RECOMPUTATIONS], memory[RECOMPUTATIONS];
	} of;
};

/* The memory of the stage that needs most, in configurations with these degrees. */
struct measured_peak {
	int dp, tp, cp, pp, vp, mbs, ep;	/* ep 0: any ep; vp and mbs 0: unset, for the caller to fill */
	double memory;				/* bytes */
	enum measured_source source;
};

/* Layer times of configurations with these degrees, relative to the forward of a mixture-of-experts layer. */
struct measured_profile {
	int dp, tp, pp, ep, cp, mbs;	/* mbs 0: unset, for the caller to fill */
	/* a dense layer's forward, its backward, the backward's increase by recomputation; the head with its loss */
	double dense, backward, again, head;
	double forward;				/* s, the forward of a mixture of experts */
};

struct anchor;

struct measured {
	struct measured_layer layer[CLASSES_MOST], head, tail;
	/* degree and micro-batch size at which the layers were measured; 0: valid for every configuration */
	int tp, mbs;
	int npeaks;
	struct measured_peak *peak;	/* sorted by dp, tp, cp, pp, vp, mbs, ep */
	int nprofiles;
	struct measured_profile *profile;
	int nanchors;
	struct anchor *anchor;
	struct collectives collectives;
	/* times of operators of one device; prepared when the cluster is known */
	struct operator_table operators;
	double hidden;			/* fraction of the gradient collectives that is hidden; below 0: unknown */
	/* Bytes that the allocator reserves beyond allocations; bytes outside the allocator. Below 0: unknown. */
	double held, beside;
	double before;		/* maximum of the bytes allocated before a step in excess of computed bytes; 0: none */
	/* Set when the cluster is known: */
	/* relative error of an anchor's times with equal shapes; its increase per unit of distance */
	double repeat, slope;
	double left;			/* standard deviation of a step that its parts do not explain */
};

struct measured measured_none(void);
struct measured_layer measured_layer_none(void);
/*
 * Replace computed figures of layers by measured ones. For another tp or mbs, multiply the computed figure by measured
 * / computed. AS_MEASURED: costs computed for the tp and mbs of the measurement.
 */
void measured_apply(const struct measured *, const struct architecture *, struct costs *,
    const struct costs *as_measured);
bool measured_layers(const struct measured *);
/* Set a layer's FORWARD and BACKWARD, s. Limit its communication to these times. */
void layer_retime(struct layer_cost *, double forward, double backward);
/* Return whether two peaks have the same degrees other than ep. */
bool measured_peak_alike(const struct measured_peak *, const struct measured_peak *);
/*
 * Find the peak of a configuration with these degrees: a measured one, or one interpolated between two values of ep.
 * *FOUND has the nearest measured vp and mbs. Return false if no peak is known.
 */
bool measured_peak(const struct measured *, const struct configuration *, struct measured_peak *found);
/*
 * Return the number of the profile with these degrees and the nearest mbs, from 1. Return 0 if no profile has these
 * degrees.
 */
int measured_profile(const struct measured *, const struct configuration *);
/* Replace layer times by the times of a profile. AS_MEASURED: costs computed for the profile's mbs. */
void measured_apply_profile(const struct measured *, const struct architecture *, int profile, struct costs *,
    const struct costs *as_measured);
void measured_free(struct measured *);

#endif
