/* Settings of a run other than degrees, common to every configuration of a space. */
#ifndef VARIANT_H
#define VARIANT_H

#include "lib/record/configuration.h"
#include "lib/record/device_operator.h"

enum { FUSED_SETS = 4 };

/* Requested values; no value requested: the base's. */
struct variants {
	bool based;
	struct configuration base;	/* configuration in a user's file; default: configuration_plain */
	bool tail_even, alone;		/* set for all */
	bool dispatcher[2], ep_overlap[2], graph[3];	/* by enum dispatcher, false and true, enum graph */
	bool fused[FUSED_SETS];		/* by bits of enum fused */
	bool compute[NUMBER_TYPES];	/* by enum number_type */
	bool optimizer[OPTIMIZER_UNSAID];	/* by enum optimizer */
	struct list host;		/* fractions of the optimizer on the host */
	int nmodules;
	int *modules;			/* [nmodules], bits of enum module */
};

/* Use the configuration's settings as the base. */
void variants_take(struct variants *, const struct configuration *);
/* Return whether a type of products is requested. */
bool variants_compute(const struct variants *);
/* Return all combinations (caller frees); *N: their number. The base is the only one if nothing is requested. */
struct configuration *variants_list(const struct variants *, int *n);
/* Copy the settings of FROM to TO, including whether they are given. */
void variant_apply(struct configuration *to, const struct configuration *from);

#endif
