/* Arguments of a training run: their names, and how they are written. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "option_table.h"

const struct launch_row launch_rows[LAUNCH_OPTIONS] = {
	[LAUNCH_LAYERS] = { "--num-layers", "num_layers", false },
	[LAUNCH_MTP] = { "--mtp-num-layers", "mtp_num_layers", false },
	[LAUNCH_STAGES] = { "--pipeline-model-parallel-size", "pipeline_model_parallel_size", false },
	[LAUNCH_VIRTUAL] = { "--num-virtual-stages-per-pipeline-rank", "virtual_pipeline_model_parallel_size", false },
	[LAUNCH_PER_VIRTUAL] = { "--num-layers-per-virtual-pipeline-stage", NULL, false },
	[LAUNCH_FIRST] = { "--decoder-first-pipeline-num-layers", "num_layers_in_first_pipeline_stage", false },
	[LAUNCH_LAST] = { "--decoder-last-pipeline-num-layers", "num_layers_in_last_pipeline_stage", false },
	[LAUNCH_LAYOUT] = { "--pipeline-model-parallel-layout", "pipeline_model_parallel_layout", false },
	[LAUNCH_LIST] = { "--num-layer-list", NULL, false },
	[LAUNCH_NOOP] = { "--noop-layers", NULL, false },
	[LAUNCH_SCHEDULE] = { "--schedules-method", NULL, false },
	[LAUNCH_OVERLAP] = { "--overlap-moe-expert-parallel-comm", "overlap_moe_expert_parallel_comm", true },
	[LAUNCH_GROUP] = { "--microbatch-group-size-per-virtual-pipeline-stage", "microbatch_group_size_per_vp_stage",
	    false },
	[LAUNCH_GRANULARITY] = { "--recompute-granularity", "recompute_granularity", false },
	[LAUNCH_METHOD] = { "--recompute-method", "recompute_method", false },
	[LAUNCH_RECOMPUTE] = { "--recompute-num-layers", "recompute_num_layers", false },
	[LAUNCH_MODULES] = { "--recompute-modules", "recompute_modules", false },
	[LAUNCH_ACTIVATIONS] = { "--recompute-activations", NULL, true },
	[LAUNCH_PER_RANK] = { "--enable-recompute-layers-per-pp-rank", NULL, true },
	[LAUNCH_EMBEDDING_COUNTS] = { "--account-for-embedding-in-pipeline-split",
		"account_for_embedding_in_pipeline_split", true },
	[LAUNCH_LOSS_COUNTS] = { "--account-for-loss-in-pipeline-split", "account_for_loss_in_pipeline_split", true },
	[LAUNCH_GLOBAL_BATCH] = { "--global-batch-size", "global_batch_size", false },
	[LAUNCH_MICRO_BATCH] = { "--micro-batch-size", "micro_batch_size", false },
	[LAUNCH_TENSOR] = { "--tensor-model-parallel-size", "tensor_model_parallel_size", false },
	[LAUNCH_CONTEXT] = { "--context-parallel-size", "context_parallel_size", false },
	[LAUNCH_NODES] = { "--nnodes", NULL, false },
	[LAUNCH_NODE_DEVICES] = { "--nproc_per_node", NULL, false },
};

const char *
launch_name(enum launch_option o)
{
	return launch_rows[o].flag;
}

void
launch_set(struct launch *l, enum launch_option o, char *value)
{
	free(l->value[o]);
	l->value[o] = value;
}

/* In quotes where a shell would make something else of it. */
static void
put_value(FILE *f, const char *value)
{
	bool plain = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.-") ==
	    strlen(value);

	fprintf(f, plain ? "%s" : "\"%s\"", value);
}

void
launch_print(const struct launch *l, enum launch_dialect dialect, FILE *f)
{
	bool more = false;

	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const struct launch_row *row = &launch_rows[o];

		if (l->value[o] == NULL)
			continue;
		fputs(more ? " \\\n" : "", f);
		more = true;
		if (dialect == LAUNCH_NEMO) {
			fprintf(f, "model.%s=", row->key);
			if (o == LAUNCH_MODULES)
				fprintf(f, "[%s]", l->value[o]);
			else
				put_value(f, row->alone ? "true" : l->value[o]);
			continue;
		}
		fputs(row->flag, f);
		if (!row->alone) {
			putc(' ', f);
			put_value(f, l->value[o]);
		}
	}
	putc('\n', f);
}

int
launch_int(const struct launch *l, enum launch_option o, int min, int max)
{
	const char *text = l->value[o];
	char *end;
	long n;

	if (text == NULL)
		return 0;
	n = strtol(text, &end, 10);
	if (*text == '\0' || *end != '\0' || n < min || n > max)
		place_die(l->place[o], "%s: not a whole number between %d and %d '%s'", launch_rows[o].flag, min, max,
		    text);
	return (int)n;
}

void
launch_free(struct launch *l)
{
	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		free(l->value[o]);
	free(l->source);
	*l = (struct launch){ 0 };
}
