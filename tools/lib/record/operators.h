/* The kind record: the settings by which training frameworks express a kind of recomputation. */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "lib/field/field.h"

struct operators {
	uint64_t given;
	char *name;			/* name of the kind */
	struct texts select_recompute, select_comm_recompute;	/* patterns for the MindFormers lists of these names */
	/* modules in the Megatron-LM arguments of these names */
	struct texts recompute_modules, offload_modules;
	struct texts swap_modules;	/* modules in MindSpeed-LLM's swap_modules */
	bool layer_swap;		/* MindFormers offloads layers as a whole */
	struct texts op_swap;		/* names of the operators that MindFormers offloads */
	/* number of layers in advance at which MindFormers starts to fetch an offloaded tensor; absent: 1 */
	int backward_prefetch;
};

extern const struct fields operators_fields;
void operators_check(const struct operators *, struct place at);

#endif
