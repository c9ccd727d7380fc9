/*
 * The space: all configurations of a number of devices that a framework's rules allow. They are enumerated by nested
 * loops, from the outermost: tp, cp, pp, etp, ep, zero, shard, vp, mbs, settings. Values ascend; dp follows from the
 * others.
 */
#ifndef SPACE_H
#define SPACE_H

#include "lib/record/architecture.h"
#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "variant.h"

enum framework { MEGATRON, MINDFORMERS, FRAMEWORKS };
extern const char *const framework_names[];

/* The values of a dimension that an option asks for. */
struct choice {
	bool given;	/* an option gives values; false: the usual ones */
	int most;
	bool *at;	/* [most + 1]: whether an option gives each value */
};

enum dimension { DIM_DP, DIM_TP, DIM_CP, DIM_PP, DIM_EP, DIM_ETP, DIM_ZERO, DIM_SHARD, DIM_VP, DIM_MBS,
	DIM_MB, DIMENSIONS };
extern const char *const dimension_names[DIMENSIONS];

struct listed_row;

struct space {
	const struct architecture *net;
	int devices, batch;		/* number of sequences per step */
	enum framework framework;
	struct choice choice[DIMENSIONS];
	int node;			/* number of devices per node, the maximum of tp; 0: no limit */
	bool even;			/* all stages must have the same number of layers */
	bool empty;			/* embedding and loss may be alone in a piece, if the framework supports it */
	bool etp_tp;			/* etp is equal to tp */
	bool cp_kind[2];		/* kinds that an option gives, by enum context_kind; none: ring */
	struct variants variants;	/* values of settings, the innermost loops */
	int nlisted;			/* number of rows of the table of -only; 0: no restriction */
	struct listed_row *listed;
	bool shard_all;			/* shard groups may have any size */
};

/*
 * Receives a configuration. RULE: number of the first rule that it violates; -1: none. Return false to end the
 * enumeration.
 */
typedef bool space_each(void *context, const struct configuration *, int rule);
void space_enumerate(const struct space *, space_each *, void *context);
void space_free(struct space *);

#endif
