/*
 * The space of configurations for a number of devices under a framework's rules. Loops from outermost: tp, cp, pp, etp,
 * ep, zero, shard, vp, mbs, settings, each ascending; dp follows from the rest.
 */
#ifndef SPACE_H
#define SPACE_H

#include "lib/record/architecture.h"
#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "variant.h"

enum framework { MEGATRON, MINDFORMERS, FRAMEWORKS };
extern const char *const framework_names[];

/* Requested values of a dimension. */
struct choice {
	bool given;	/* else the usual values */
	int most;
	bool *at;	/* [most + 1] */
};

enum dimension { DIM_DP, DIM_TP, DIM_CP, DIM_PP, DIM_EP, DIM_ETP, DIM_ZERO, DIM_SHARD, DIM_VP, DIM_MBS,
	DIM_MB, DIMENSIONS };
extern const char *const dimension_names[DIMENSIONS];

struct listed_row;

struct space {
	const struct architecture *net;
	int devices, batch;		/* sequences per step */
	enum framework framework;
	struct choice choice[DIMENSIONS];
	int node;			/* devices of a node, the limit of tp; 0: no limit */
	bool even;			/* layers must divide evenly */
	bool empty;			/* embedding and loss may be separate pieces, if the framework supports it */
	bool etp_tp;			/* etp = tp */
	bool cp_kind[2];		/* requested kinds, by enum context_kind; none: ring */
	struct variants variants;	/* of settings, the innermost loops */
	int nlisted;			/* rows of a table; 0: all configurations */
	struct listed_row *listed;
	bool shard_all;			/* all sizes of shard groups */
};

/* RULE: the first rule violated, or -1. Return false to stop the enumeration. */
typedef bool space_each(void *context, const struct configuration *, int rule);
void space_enumerate(const struct space *, space_each *, void *context);
void space_free(struct space *);

#endif
