/* Measured figures, which override computed ones. */
#ifndef MEASURED_H
#define MEASURED_H

#include "lib/cost/collective.h"
#include "lib/cost/layer_cost.h"
#include "lib/operator/operator_table.h"

enum measured_source { SOURCE_COMPUTED, SOURCE_FITTED, SOURCE_MEASURED };

/* Figures of a layer or an end; below 0: not measured. */
struct measured_layer {
	double forward, backward;		/* s */
	double again[RECOMPUTATIONS];		/* s, increase of the backward */
	double memory[RECOMPUTATIONS];		/* bytes */
	struct {				/* number of layers in each mean */
		double forward, backward, again[RECOMPUTATIONS], memory[RECOMPUTATIONS];
	} of;
};

/* Peak of the worst stage of configurations with these degrees. */
struct measured_peak {
	int dp, tp, cp, pp, vp, mbs, ep;	/* ep 0: any; vp, mbs 0: unset, to be filled */
	double memory;				/* bytes */
	enum measured_source source;
};

/* Layer times of configurations with these degrees: ratios to a mixture's forward. */
struct measured_profile {
	int dp, tp, pp, ep, cp, mbs;	/* mbs 0: unset, to be filled */
	/* dense forward, backward, increase by recomputation, head with loss */
	double dense, backward, again, head;
	double forward;				/* s, forward of a mixture */
};

struct anchor;

struct measured {
	struct measured_layer layer[CLASSES_MOST], head, tail;
	int tp, mbs;			/* degree and size of the measured layers; 0: valid for every configuration */
	int npeaks;
	struct measured_peak *peak;	/* sorted by dp, tp, cp, pp, vp, mbs, ep */
	int nprofiles;
	struct measured_profile *profile;
	int nanchors;
	struct anchor *anchor;
	struct collectives collectives;
	struct operator_table operators;	/* of one device; prepared when the cluster is known */
	double hidden;			/* hidden fraction of gradient collectives; below 0: unknown */
	/* Bytes that the allocator holds above allocations, and bytes outside the allocator; below 0: unknown. */
	double held, beside;
	double before;			/* maximum of bytes allocated before a step above computed ones; 0: none */
	/* Set when the cluster is known: */
	double repeat, slope;		/* error of anchors' times; increase per unit of distance */
	double left;			/* remaining error of a step */
};

struct measured measured_none(void);
struct measured_layer measured_layer_none(void);
/* Replace computed figures of layers by measured ones; for another tp or mbs scale them by measured / computed. */
void measured_apply(const struct measured *, const struct architecture *, struct costs *,
    const struct costs *as_measured);
bool measured_layers(const struct measured *);
/* Set a layer's FORWARD and BACKWARD, s, and limit its communication to them. */
void layer_retime(struct layer_cost *, double forward, double backward);
/* Return whether two peaks differ only in ep and memory. */
bool measured_peak_alike(const struct measured_peak *, const struct measured_peak *);
/*
 * Find the peak of a configuration of the same degrees, measured or from two peaks that differ in ep alone. *FOUND has
 * the nearest measured vp and mbs. Return false if no peak is known.
 */
bool measured_peak(const struct measured *, const struct configuration *, struct measured_peak *found);
/* Return the number, from 1, of the profile of the same degrees with the nearest mbs; 0 if none exists. */
int measured_profile(const struct measured *, const struct configuration *);
/* Replace layer times by those of a profile. AS_MEASURED: costs computed with the profile's mbs. */
void measured_apply_profile(const struct measured *, const struct architecture *, int profile, struct costs *,
    const struct costs *as_measured);
void measured_free(struct measured *);

#endif
