/* Figures that were measured and win over what is computed. */
#ifndef MEASURED_H
#define MEASURED_H

#include "layer_cost.h"

enum measured_source { SOURCE_COMPUTED, SOURCE_FITTED, SOURCE_MEASURED };
extern const char *const measured_source_names[];

/* A layer's, or an end's; members that were not measured are below 0. */
struct measured_layer {
	double forward, backward;		/* s */
	double again[RECOMPUTATIONS];		/* s, above the plain backward */
	double memory[RECOMPUTATIONS];		/* bytes */
};

/* The largest peak of the stages of a configuration's degrees. */
struct measured_peak {
	int dp, tp, pp, ep;		/* ep 0: any */
	int stages;			/* in the list */
	double *memory;			/* bytes, [stages]; below 0: not measured */
};

struct measured {
	struct measured_layer layer[LAYER_KINDS], head, tail;
	int tp, mbs;			/* that the layers were measured with; 0: those of every configuration */
	int npeaks;
	struct measured_peak *peak;
};

struct measured measured_none(void);
/* Put measured figures of layers in the place of computed ones; with other tp or mbs, their ratio to them. */
void measured_apply(const struct measured *, struct costs *, const struct costs *as_measured);
bool measured_layers(const struct measured *);
const struct measured_peak *measured_peak(const struct measured *, const struct configuration *);
void measured_free(struct measured *);

#endif
