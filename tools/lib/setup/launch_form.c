#include "launch_form.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

const char form_computed[] = "virtual_pipeline_model_parallel_size";

static const struct form forms[] = {
	/* defaults in primus/configs/modules/megatron/pre_trainer.yaml, models/megatron/language_model.yaml */
	{ .target = TARGET_PRIMUS, .maps = { "modules.*.overrides" }, .presets = "primus/configs/models/megatron",
		.on = { "sequence_parallel", "use_distributed_optimizer" }, .column = 6,
		.above = { "modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n" } },
	{ .target = TARGET_FLAGSCALE, .maps = { "system", "model", "data" }, .deep = true, .column = 2,
		.nodes = "experiment.runner.nnodes", .devices = "experiment.runner.nproc_per_node",
		.above = { "system:\n", "model:\n" } },
	{ .target = TARGET_FLAGSCALE, .maps = { "train.system", "train.model", "train.data" }, .deep = true,
		.nodes = "experiment.runner.nnodes", .devices = "experiment.runner.nproc_per_node" },
	{ .target = TARGET_HYPERPARALLEL, .needs = "train.accelerator" },
	/* model_config.yaml in the tests of Megatron-LM */
	{ .target = TARGETS, .maps = { "MODEL_ARGS" }, .dashed = true },
	{ .target = TARGETS, .maps = { "" }, .dashed = true },
	/* overrides of a recipe of Megatron-Bridge, or its run_config.yaml */
	{ .target = TARGETS, .needs = "train.micro_batch_size", .maps = { "model", "train", "dataset" }, .nemo = true },
	{ .target = TARGETS, .needs = "model.tensor_model_parallel_size", .maps = { "model" }, .nemo = true,
		.nodes = "trainer.num_nodes", .devices = "trainer.devices" },
	/* FILE of the command "megatron sft FILE" (ms-swift) */
	{ .target = TARGETS, .needs = "micro_batch_size", .maps = { "" } },
};

const struct yaml *
form_at(const struct yaml *from, const char *path)
{
	size_t n = strcspn(path, ".");
	const struct yaml *found = NULL;

	if (*path == '\0')
		return from;
	for (int i = 0; from->type == YAML_MAP && i < from->n; i++) {
		const struct yaml *inner;

		if (*path != '*' && (strncmp(from->key[i], path, n) != 0 || from->key[i][n] != '\0'))
			continue;
		inner = form_at(from->item[i], path + n + (path[n] == '.'));
		if (inner != NULL && found != NULL)
			place_die(inner->place, "a second map of arguments '%s'", from->key[i]);
		found = inner != NULL ? inner : found;
	}
	return found != NULL && !yaml_is_null(found) ? found : NULL;
}

const struct yaml *
form_map(const struct yaml *from, const char *path)
{
	const struct yaml *found = path != NULL ? form_at(from, path) : NULL;

	return found != NULL && found->type == YAML_MAP ? found : NULL;
}

const struct yaml *
form_scalar(const struct yaml *from, const char *path)
{
	const struct yaml *found = path != NULL ? form_at(from, path) : NULL;

	return found != NULL && found->type == YAML_SCALAR ? found : NULL;
}

static bool
is_of(const struct form *f, const struct yaml *root)
{
	const struct yaml *first = form_map(root, f->maps[0]);

	return (f->needs == NULL || form_at(root, f->needs) != NULL) && (f->maps[0] == NULL || first != NULL) &&
	    (!f->dashed || (first->n > 0 && strncmp(first->key[0], "--", 2) == 0));
}

const struct form *
form_of(const struct yaml *root)
{
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (is_of(&forms[i], root))
			return &forms[i];
	return NULL;
}

char *
form_option(const char *key)
{
	char *option = xasprintf("%s%s", strncmp(key, "--", 2) == 0 ? "" : "--", key);

	for (char *c = option; *c != '\0'; c++)
		*c = *c == '_' ? '-' : *c;
	return option;
}

enum launch_option
form_option_named(const char *key)
{
	char *option = form_option(key);
	enum launch_option o = launch_named(option);

	free(option);
	return o;
}

const struct form *
form_for(enum target t)
{
	const struct form *f = forms;

	while (f->target != t)
		f++;
	return f;
}
