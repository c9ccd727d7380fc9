/* Figures that were measured and win over what is computed. */
#ifndef MEASURED_H
#define MEASURED_H

#include "collective.h"
#include "layer_cost.h"
#include "lib/operator/operator_table.h"

enum measured_source { SOURCE_COMPUTED, SOURCE_FITTED, SOURCE_MEASURED };

/* A layer's, or an end's; members that were not measured are below 0. */
struct measured_layer {
	double forward, backward;		/* s */
	double again[RECOMPUTATIONS];		/* s, above the plain backward */
	double memory[RECOMPUTATIONS];		/* bytes */
	struct {				/* how many layers the means of these are of */
		double forward, backward, again[RECOMPUTATIONS], memory[RECOMPUTATIONS];
	} of;
};

/* The peak of the worst stage of configurations with these degrees. */
struct measured_peak {
	int dp, tp, cp, pp, vp, mbs, ep;	/* ep 0: any; vp, mbs 0: unset, to be filled */
	double memory;				/* bytes */
	enum measured_source source;
};

/* Layer times of configurations with these degrees: ratios to a mixture's forward. */
struct measured_profile {
	int dp, tp, pp, ep, cp, mbs;	/* mbs 0: unset, to be filled */
	/* a dense forward, a backward, what recomputation adds, head and loss */
	double dense, backward, again, head;
	double forward;				/* s, a mixture's */
};

struct anchor;

struct measured {
	struct measured_layer layer[CLASSES_MOST], head, tail;
	int tp, mbs;			/* that the layers were measured with; 0: those of every configuration */
	int npeaks;
	struct measured_peak *peak;	/* by dp, tp, cp, pp, vp, mbs, ep */
	int nprofiles;
	struct measured_profile *profile;
	int nanchors;
	struct anchor *anchor;
	struct collectives collectives;
	struct operator_table operators;	/* of one device; settled once there is a cluster */
	double hidden;			/* share of the gradients' collectives; below 0: not known */
	/* Bytes that the allocator holds above what is allocated, and that it does not see; below 0: not known. */
	double held, beside;
	double before;			/* bytes allocated before a step above what is computed, the most; 0: none */
	/* Once there is a cluster. */
	double repeat, slope;		/* how far times of anchors are off; a unit of distance further */
	double left;			/* of a step's error */
};

struct measured measured_none(void);
struct measured_layer measured_layer_none(void);
/* Put measured figures of layers in the place of computed ones; with other tp or mbs, their ratio to them. */
void measured_apply(const struct measured *, const struct architecture *, struct costs *,
    const struct costs *as_measured);
bool measured_layers(const struct measured *);
/* Put a layer's FORWARD and BACKWARD in place of the computed ones, s; communication keeps no more than that. */
void layer_retime(struct layer_cost *, double forward, double backward);
/* Do two peaks differ in nothing but ep and memory? */
bool measured_peak_alike(const struct measured_peak *, const struct measured_peak *);
/*
 * Find the peak of a configuration of these degrees, measured or from two that differ in ep alone. The vp and mbs of
 * *FOUND may differ from the configuration's: they are the nearest that were measured. Return false if none is known.
 */
bool measured_peak(const struct measured *, const struct configuration *, struct measured_peak *found);
/* Return the number, from 1, of the profile of these degrees with the nearest mbs; 0: none. */
int measured_profile(const struct measured *, const struct configuration *);
/* Replace layer times by those of a profile. AS_MEASURED: costs computed with the profile's mbs. */
void measured_apply_profile(const struct measured *, const struct architecture *, int profile, struct costs *,
    const struct costs *as_measured);
void measured_free(struct measured *);

#endif
