/* Other names of arguments: of Megatron-LM before 2022, and of other frameworks. */
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
	/* names in DeepSpeed, which has the context parallelism of Ulysses */
	{ "moe_expert_parallel_size", "expert_model_parallel_size", NULL, false },
	{ "ds_sequence_parallel_size", "context_parallel_size", NULL, false },
	{ "ds_sequence_parallel_size", "cp_comm_type", "a2a", true },
	{ "num_key_value_heads", "num_query_groups", NULL, false },
	{ "num_key_value_heads", "group_query_attention", "true", true },
	{ "fp8_e4m3", "fp8_format", "e4m3", false },
	/* names in Megatron-LLM */
	{ "num_attention_heads_kv", "num_query_groups", NULL, false },
	{ "num_attention_heads_kv", "group_query_attention", "true", true },
	{ "no_tie_embed_logits", "untie_embeddings_and_output_weights", "true", false },
	{ "use_rms_norm", "use_rmsnorm", "true", false },
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
