/* The kind record: how training frameworks name a kind of recomputation. */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "lib/field/field.h"

struct operators {
	uint64_t given;
	char *name;			/* name of the kind */
	struct texts select_recompute, select_comm_recompute;	/* patterns in MindFormers' lists of these names */
	struct texts recompute_modules, offload_modules;	/* of Megatron-LM */
	struct texts swap_modules;	/* of MindSpeed-LLM */
	bool layer_swap;		/* MindFormers offloads whole layers */
	struct texts op_swap;		/* MindFormers offloads operators of these names */
	/* number of layers before the use at which MindFormers starts to fetch; absent: 1 */
	int backward_prefetch;
};

extern const struct fields operators_fields;
void operators_check(const struct operators *, struct place at);

#endif
