/* Settings other than degrees. Every configuration of a space is combined with all their requested values. */
#ifndef VARIANT_H
#define VARIANT_H

#include "lib/record/configuration.h"
#include "lib/record/device_operator.h"

enum { FUSED_SETS = 4 };

/* Requested values of each setting. A setting without requested values has the base's value. */
struct variants {
	bool based;
	struct configuration base;	/* configuration in a user's file; without one, configuration_plain */
	bool tail_even, alone;		/* apply to all configurations */
	/* whether a value is requested: by enum dispatcher; false and true; by enum graph */
	bool dispatcher[2], ep_overlap[2], graph[3];
	bool fused[FUSED_SETS];		/* set of fused operators, by its bits of enum fused */
	bool compute[NUMBER_TYPES];	/* by enum number_type */
	bool optimizer[OPTIMIZER_UNSAID];	/* by enum optimizer */
	struct list host;		/* fractions of the optimizer's states on the host */
	int nmodules;
	int *modules;			/* [nmodules], each a set of bits of enum module */
};

/* Make the settings of a configuration the base. */
void variants_take(struct variants *, const struct configuration *);
/* Return whether any type of products is requested. */
bool variants_compute(const struct variants *);
/*
 * Return all combinations of requested values, *N of them. If nothing is requested, return the base alone. Caller
 * frees.
 */
struct configuration *variants_list(const struct variants *, int *n);
/* Copy the settings of FROM to TO, and whether they are given. */
void variant_apply(struct configuration *to, const struct configuration *from);

#endif
