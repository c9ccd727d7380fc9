/*
 * The space of configurations of a number of devices, and the rules of the frameworks that they must keep to.
 * Loops from the outside in: tp, cp, pp, etp, ep, zero, shard, vp, mbs, settings, each ascending; dp is what is left.
 */
#ifndef SPACE_H
#define SPACE_H

#include "lib/record/architecture.h"
#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "variant.h"

enum framework { MEGATRON, MINDFORMERS, FRAMEWORKS };
extern const char *const framework_names[];

/* Values of a dimension that are asked for. */
struct choice {
	bool given;	/* else all that are usual */
	int most;
	bool *at;	/* [most + 1] */
};

enum dimension { DIM_DP, DIM_TP, DIM_CP, DIM_PP, DIM_EP, DIM_ETP, DIM_ZERO, DIM_SHARD, DIM_VP, DIM_MBS,
	DIM_MB, DIMENSIONS };
extern const char *const dimension_names[DIMENSIONS];

struct listed_row;

struct space {
	const struct architecture *net;
	int devices, batch;		/* sequences of a step */
	enum framework framework;
	struct choice choice[DIMENSIONS];
	int tp_max, pp_max, cp_max, ep_max;	/* preferences; 0: none */
	bool even;			/* layers must divide evenly */
	bool empty;			/* embedding and loss may be pieces, where the framework has such */
	bool etp_tp;			/* experts divided as the rest is */
	bool cp_kind[2];		/* enum context_kind: which are asked for; none: the ring */
	struct variants variants;	/* of settings, the innermost loops */
	int nlisted;			/* configurations of a table; 0: all */
	struct listed_row *listed;
	bool shard_all;			/* every size of a group of shards */
};

/* RULE is that which it breaks first, or -1. False ends the enumeration. */
typedef bool space_each(void *context, const struct configuration *, int rule);
void space_enumerate(const struct space *, space_each *, void *context);
void space_free(struct space *);

#endif
