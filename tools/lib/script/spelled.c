/* Earlier names of arguments: of Megatron-LM before 2022, and of NeMo. */
#include "spelled.h"

#include <string.h>

const struct spelled spelled_before[] = {
	{ "checkpoint_activations", "recompute_granularity", "full", false },
	{ "checkpoint_activations", "recompute_method", "uniform", true },
	{ "checkpoint_num_layers", "recompute_num_layers", NULL, false },
	{ "activations_checkpoint_granularity", "recompute_granularity", NULL, false },
	{ "activations_checkpoint_method", "recompute_method", NULL, false },
	{ "activations_checkpoint_method", "recompute_granularity", "full", true },
	{ "activations_checkpoint_num_layers", "recompute_num_layers", NULL, false },
	{ "hybrid_override_pattern", "hybrid_layer_pattern", NULL, false },
	{ "moe_expert_parallel_size", "expert_model_parallel_size", NULL, false },	/* name in DeepSpeed */
	{ "ppo_micro_batch_size_per_gpu", "micro_batch_size", NULL, false },	/* name in verl */
	{ NULL, NULL, NULL, false }
};

bool
spelled_alike(const char *word, const char *name)
{
	word += strncmp(word, "--", 2) == 0 ? 2 : 0;
	for (; *word != '\0' && (*word == *name ||
	    (strchr("-_", *word) != NULL && *name != '\0' && strchr("-_", *name) != NULL)); word++)
		name++;
	return *word == *name;
}
