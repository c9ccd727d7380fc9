#include "foreign.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char config[] = "give sapp-model the network's config.json, and sapp-search its degrees";
static const char log_or_config[] = "give the log of a run, which lists its arguments, or sapp-model "
    "the network's config.json";

static const struct foreign {
	const char *end, *keys;	/* end of the path; keys of the file, separated by blanks; NULL: any */
	const char *what, *instead;
} files[] = {
	{ ".toml", "parallelism", "the TOML file of torchtitan", config },
	{ ".toml", NULL, "a TOML file", config },
	{ ".py", NULL, "a program of Python, such as a recipe of NeMo or Megatron-Bridge", log_or_config },
	{ NULL, "pipe_parallel_size", "the configuration of GPT-NeoX", config },
	{ NULL, "pipe-parallel-size", "the configuration of GPT-NeoX", config },
	{ NULL, "attention_config", "the configuration of GPT-NeoX", config },
	{ NULL, "attention-config", "the configuration of GPT-NeoX", config },
	{ NULL, "zero_optimization", "the configuration of DeepSpeed, which does not describe the network", config },
	{ NULL, "train_micro_batch_size_per_gpu", "the configuration of DeepSpeed, which does not describe the network",
	    config },
	{ NULL, "base_emb_dim", "the configuration of MaxText", config },
	{ NULL, "ici_fsdp_parallelism", "the configuration of MaxText", config },
	{ NULL, "actor_rollout_ref", "the configuration of verl", config },
	{ NULL, "megatron_cfg", "the recipe of NeMo-RL, which only names its network", config },
	{ NULL, "fsdp_modules", "the configuration of MindSpeed's trainer with FSDP2, which has no pipeline", config },
	{ NULL, "fsdp_plan", "the configuration of MindSpeed's trainer with FSDP2, which has no pipeline", config },
	{ NULL, "gpt_args", "the configuration of MindSpeed-MM", config },
	{ NULL, "megatron_training", "the configuration of MindSpeed-RL", config },
	{ NULL, "runtime_args", "the configuration of ChatLearn", config },
	{ NULL, "component_placement", "the configuration of RLinf", config },
	{ NULL, "strategy_args", "the configuration of ROLL", config },
	{ NULL, "allocation_mode", "the configuration of AReaL", config },
	{ NULL, "gconfig", "the configuration of AReaL", config },
	{ NULL, "distributed_strategy", "the configuration of neuronx-distributed-training", config },
	{ NULL, "experiment exp_dir", "the experiment of FlagScale",
	    "give the file in its folder train that it names" },
	{ NULL, "compress_args", "a compression of FlagScale, which trains nothing", config },
	{ NULL, "vq_model", "an inference of FlagScale, which trains nothing", config },
	{ NULL, "engine_args", "the configuration of a server, which does not train", config },
	{ NULL, "_component_", "the configuration of torchtune", config },
	{ NULL, "fsdp_plugin", "the configuration of accelerate", config },
};

/* Return whether TEXT (YAML, JSON or TOML) has the key that the first N characters of KEY are. */
static bool
has_key(const char *text, const char *key, size_t n)
{
	for (const char *c = text; (c = memmem(c, strlen(c), key, n)) != NULL; c += n) {
		const char *line = c, *end = c + n;

		while (line > text && strchr(" \t\"'{,[-", line[-1]) != NULL)
			line--;
		end += strspn(end, "\"' \t]");
		if ((line == text || line[-1] == '\n' || c[-1] == '"') && (*end == ':' || *end == '\n'))
			return true;
	}
	return false;
}

static bool
has_keys(const char *text, const char *keys)
{
	for (; keys != NULL && *keys != '\0'; keys += strspn(keys, " ")) {
		size_t n = strcspn(keys, " ");

		if (!has_key(text, keys, n))
			return false;
		keys += n;
	}
	return true;
}

void
foreign_refuse(struct place at, const char *path, const char *text)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		size_t n = files[i].end != NULL ? strlen(files[i].end) : 0;

		if ((n == 0 || (length > n && strcmp(path + length - n, files[i].end) == 0)) &&
		    has_keys(text, files[i].keys))
			place_die(at, "not read: this is %s; %s", files[i].what, files[i].instead);
	}
}
