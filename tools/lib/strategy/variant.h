/* Settings of a run that are no degrees: those of every configuration of a space. */
#ifndef VARIANT_H
#define VARIANT_H

#include "lib/record/configuration.h"

enum { FUSED_SETS = 4 };

/* Values that are asked for; none of a setting: as the base has it. */
struct variants {
	bool based;
	struct configuration base;	/* what a file runs today; else configuration_plain is */
	bool tail_even, alone;		/* all of them have it */
	bool dispatcher[2], ep_overlap[2], graph[3];	/* by enum dispatcher, false and true, enum graph */
	bool fused[FUSED_SETS];		/* by bits of enum fused */
	int nmodules;
	int *modules;			/* [nmodules], bits of enum module */
};

/* Take what the configuration says of them for the base. */
void variants_take(struct variants *, const struct configuration *);
/* All combinations, to be freed; how many into N. The first is the only one where nothing is asked for. */
struct configuration *variants_list(const struct variants *, int *n);
/* Put the settings of FROM in the place of TO's, with which of them are given. */
void variant_apply(struct configuration *to, const struct configuration *from);

#endif
