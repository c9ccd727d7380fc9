/* The kind record: what a kind of recomputation is called by the frameworks that train. */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "lib/field/field.h"

struct operators {
	uint64_t given;
	char *name;			/* of the kind */
	struct texts select_recompute, select_comm_recompute;	/* patterns of MindFormers' lists of those names */
	struct texts recompute_modules, offload_modules;	/* of Megatron-LM */
	struct texts swap_modules;	/* of MindSpeed-LLM */
	bool layer_swap;		/* MindFormers offloads the whole layer, */
	struct texts op_swap;		/* or the operators of these names */
	int backward_prefetch;		/* and begins to get them back so early; absent: 1 */
};

extern const struct fields operators_fields;
void operators_check(const struct operators *, struct place at);

#endif
