/* Arguments of a training run: their names, and how they are written. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "option_table.h"
#include "spelled.h"

const struct launch_row launch_rows[LAUNCH_OPTIONS] = {
	[LAUNCH_LAYERS] = { "--num-layers", "num_layers", ONE_WORD },
	[LAUNCH_MTP] = { "--mtp-num-layers", "mtp_num_layers", ONE_WORD },
	[LAUNCH_STAGES] = { "--pipeline-model-parallel-size", "pipeline_model_parallel_size", ONE_WORD },
	[LAUNCH_VIRTUAL] = { "--num-virtual-stages-per-pipeline-rank", "virtual_pipeline_model_parallel_size",
	    ONE_WORD },
	[LAUNCH_PER_VIRTUAL] = { "--num-layers-per-virtual-pipeline-stage", NULL, ONE_WORD },
	[LAUNCH_FIRST] = { "--decoder-first-pipeline-num-layers", "num_layers_in_first_pipeline_stage", ONE_WORD },
	[LAUNCH_LAST] = { "--decoder-last-pipeline-num-layers", "num_layers_in_last_pipeline_stage", ONE_WORD },
	[LAUNCH_LAYOUT] = { "--pipeline-model-parallel-layout", "pipeline_model_parallel_layout", ONE_WORD },
	[LAUNCH_HYBRID] = { "--hybrid-layer-pattern", "hybrid_layer_pattern", ONE_WORD },
	[LAUNCH_LIST] = { "--num-layer-list", NULL, ONE_WORD },
	[LAUNCH_NOOP] = { "--noop-layers", NULL, ONE_WORD },
	[LAUNCH_SCHEDULE] = { "--schedules-method", NULL, ONE_WORD },
	[LAUNCH_OVERLAP] = { "--overlap-moe-expert-parallel-comm", "overlap_moe_expert_parallel_comm", NO_WORD },
	[LAUNCH_GROUP] = { "--microbatch-group-size-per-virtual-pipeline-stage", "microbatch_group_size_per_vp_stage",
	    ONE_WORD },
	[LAUNCH_GRANULARITY] = { "--recompute-granularity", "recompute_granularity", ONE_WORD },
	[LAUNCH_METHOD] = { "--recompute-method", "recompute_method", ONE_WORD },
	[LAUNCH_RECOMPUTE] = { "--recompute-num-layers", "recompute_num_layers", ONE_WORD },
	[LAUNCH_MODULES] = { "--recompute-modules", "recompute_modules", WORDS },
	[LAUNCH_OFFLOAD] = { "--fine-grained-activation-offloading", "fine_grained_activation_offloading", NO_WORD },
	[LAUNCH_OFFLOAD_MODULES] = { "--offload-modules", "offload_modules", WORDS },
	[LAUNCH_SWAP] = { "--swap-attention", NULL, NO_WORD },
	[LAUNCH_SWAP_MODULES] = { "--swap-modules", NULL, ONE_WORD },
	[LAUNCH_ACTIVATIONS] = { "--recompute-activations", NULL, NO_WORD },
	[LAUNCH_PER_RANK] = { "--enable-recompute-layers-per-pp-rank", NULL, NO_WORD },
	[LAUNCH_EMBEDDING_COUNTS] = { "--account-for-embedding-in-pipeline-split",
		"account_for_embedding_in_pipeline_split", NO_WORD },
	[LAUNCH_LOSS_COUNTS] = { "--account-for-loss-in-pipeline-split", "account_for_loss_in_pipeline_split",
	    NO_WORD },
	[LAUNCH_SPLIT_LIST] = { "--decoder-pipeline-manual-split-list", "decoder_pipeline_manual_split_list",
	    ONE_WORD },
	[LAUNCH_LAYER_IDS] = { "--recompute-layer-ids", "recompute_layer_ids", ONE_WORD },
	[LAUNCH_OWN_RUNTIME] = { "--patch-primus-pipeline", "patch_primus_pipeline", NO_WORD },
	[LAUNCH_ALGORITHM] = { "--pp-algorithm", "pp_algorithm", ONE_WORD },
	[LAUNCH_OFFLOAD_ORDER] = { "--offload", "offload", NO_WORD },
	[LAUNCH_ZERO_BUBBLE] = { "--patch-zero-bubble", "patch_zero_bubble", NO_WORD },
	[LAUNCH_STAGE_FULL] = { "--recompute-granularity-per-stage-micro-batch",
	    "recompute_granularity_per_stage_micro_batch", LISTS },
	[LAUNCH_STAGE_METHOD] = { "--recompute-method-per-stage-micro-batch",
	    "recompute_method_per_stage_micro_batch", LISTS },
	[LAUNCH_STAGE_LAYERS] = { "--recompute-num-layers-per-stage-micro-batch",
	    "recompute_num_layers_per_stage_micro_batch", LISTS },
	[LAUNCH_HETERO] = { "--enable-hetero", "enable_hetero", NO_WORD },
	[LAUNCH_HETERO_LIST] = { "--hetero-pipeline-layer-split", "hetero_pipeline_layer_split", WORDS },
	[LAUNCH_PARTIAL] = { "--num-microbatches-with-partial-activation-checkpoints",
	    "num_microbatches_with_partial_activation_checkpoints", ONE_WORD },
	[LAUNCH_FRACTION] = { "--activation-offload-fraction", "activation_offload_fraction", ONE_WORD },
	[LAUNCH_LESS] = { "--delta-offload-bytes-across-pp-ranks", "delta_offload_bytes_across_pp_ranks", ONE_WORD },
	[LAUNCH_GLOBAL_BATCH] = { "--global-batch-size", "global_batch_size", ONE_WORD },
	[LAUNCH_MICRO_BATCH] = { "--micro-batch-size", "micro_batch_size", ONE_WORD },
	[LAUNCH_SEQ_LENGTH] = { "--seq-length", NULL, ONE_WORD },
	[LAUNCH_TENSOR] = { "--tensor-model-parallel-size", "tensor_model_parallel_size", ONE_WORD },
	[LAUNCH_CONTEXT] = { "--context-parallel-size", "context_parallel_size", ONE_WORD },
	[LAUNCH_CONTEXT_KIND] = { "--cp-comm-type", "cp_comm_type", WORDS },
	[LAUNCH_EXPERTS] = { "--num-experts", NULL, ONE_WORD },
	[LAUNCH_EXPERT] = { "--expert-model-parallel-size", "expert_model_parallel_size", ONE_WORD },
	[LAUNCH_EXPERT_TENSOR] = { "--expert-tensor-parallel-size", "expert_tensor_parallel_size", ONE_WORD },
	[LAUNCH_DISPATCHER] = { "--moe-token-dispatcher-type", "moe_token_dispatcher_type", ONE_WORD },
	[LAUNCH_DEEPEP] = { "--moe-enable-deepep", "moe_enable_deepep", NO_WORD },
	[LAUNCH_FLEX] = { "--moe-flex-dispatcher-backend", "moe_flex_dispatcher_backend", ONE_WORD },
	[LAUNCH_MC2] = { "--use-ascend-mc2", NULL, NO_WORD },
	[LAUNCH_PERMUTE] = { "--moe-permute-fusion", "moe_permute_fusion", NO_WORD },
	[LAUNCH_PERMUTE_SAME] = { "--use-fused-moe-token-permute-and-unpermute", NULL, NO_WORD },
	[LAUNCH_GRAPH] = { "--cuda-graph-impl", "cuda_graph_impl", ONE_WORD },
	[LAUNCH_GRAPH_SCOPE] = { "--cuda-graph-scope", "cuda_graph_scope", WORDS },
	[LAUNCH_GRAPH_MODULES] = { "--cuda-graph-modules", "cuda_graph_modules", WORDS },
	[LAUNCH_GRAPH_EXTERNAL] = { "--external-cuda-graph", "external_cuda_graph", NO_WORD },
	[LAUNCH_GRAPH_ENABLE] = { "--enable-cuda-graph", "enable_cuda_graph", NO_WORD },
	[LAUNCH_SEQUENCE] = { "--sequence-parallel", "sequence_parallel", NO_WORD },
	[LAUNCH_OPTIMIZER] = { "--use-distributed-optimizer", "use_distributed_optimizer", NO_WORD },
	[LAUNCH_OPTIMIZERS] = { "--num-distributed-optimizer-instances", "num_distributed_optimizer_instances",
	    ONE_WORD },
	[LAUNCH_FSDP] = { "--use-torch-fsdp2", "use_torch_fsdp2", NO_WORD },
	[LAUNCH_FP8] = { "--fp8-format", "fp8", ONE_WORD },
	[LAUNCH_FP4] = { "--fp4-format", "fp4", ONE_WORD },
	[LAUNCH_FP8_ATTENTION] = { "--fp8-dot-product-attention", "fp8_dot_product_attention", NO_WORD },
	[LAUNCH_FP8_HEADS] = { "--fp8-multi-head-attention", "fp8_multi_head_attention", NO_WORD },
	[LAUNCH_CONTEXT_ALGORITHM] = { "--context-parallel-algo", NULL, ONE_WORD },	/* of MindSpeed */
	[LAUNCH_NODES] = { "--nnodes", NULL, ONE_WORD },
	[LAUNCH_NODE_DEVICES] = { "--nproc_per_node", NULL, ONE_WORD },
	[LAUNCH_WORLD] = { "--world-size", NULL, ONE_WORD },	/* in logs only */
};

const char *
launch_name(enum launch_option o)
{
	return launch_rows[o].flag;
}

const char *
launch_key(enum launch_option o)
{
	return launch_rows[o].key != NULL ? launch_rows[o].key : launch_rows[o].flag;
}

bool
launch_said_in(enum launch_option o, enum launch_dialect d)
{
	return d != LAUNCH_NEMO || launch_rows[o].key != NULL;
}

enum launch_option
launch_named(const char *word)
{
	int o;

	/* torchrun accepts both. */
	if (strncmp(word, "--nproc", 7) == 0 && spelled_alike(word, launch_rows[LAUNCH_NODE_DEVICES].flag + 2))
		return LAUNCH_NODE_DEVICES;
	for (o = 0; o < LAUNCH_OPTIONS && (word[0] != '-' || !spelled_alike(word, launch_rows[o].flag + 2)) &&
	    (launch_rows[o].key == NULL || !spelled_alike(word, launch_rows[o].key)); o++)
		;
	return (enum launch_option)o;
}

int
launch_takes(enum launch_option o)
{
	return launch_rows[o].takes == NO_WORD ? 0 : launch_rows[o].takes == ONE_WORD ? 1 : -1;
}

void
launch_set(struct launch *l, enum launch_option o, char *value)
{
	free(l->value[o]);
	l->value[o] = value;
}

/* Quote values that a shell would interpret. */
static void
put_value(FILE *f, const char *value)
{
	bool plain = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.-") ==
	    strlen(value);

	fprintf(f, plain ? "%s" : "\"%s\"", value);
}

/* "[a,b]" */
static void
put_list(FILE *f, const char *words)
{
	putc('[', f);
	for (; *words != '\0'; words++)
		putc(*words == ' ' ? ',' : *words, f);
	putc(']', f);
}

/* Each list is one word for a shell. */
static void
put_quoted(FILE *f, const char *lists)
{
	putc('"', f);
	for (; *lists != '\0'; lists++)
		if (*lists == ' ')
			fputs("\" \"", f);
		else
			putc(*lists, f);
	putc('"', f);
}

struct grid
launch_numbers(const struct launch *l, enum launch_option o, int min, int max)
{
	struct grid g = { 1, 0, NULL };
	const char *at = l->value[o] + strspn(l->value[o], " ['\"");

	for (;;) {
		char *end;
		long n = strtol(at, &end, 10);

		if (end == at || n < min || n > max)
			place_die(l->place[o], "%s: not a list of whole numbers between %d and %d '%s'", launch_name(o),
			    min, max, l->value[o]);
		*APPEND(g.at, g.stages) = (int)n;
		at = end + strspn(end, " ]'\"");
		if (*at == '\0')
			return g;
		at += *at == ',';
		at += strspn(at, " ");
	}
}

struct texts
launch_words(const struct launch *l, enum launch_option o)
{
	struct texts t = { 0 };
	char *copy = xstrdup(l->value[o]), *rest = copy, *word;

	while ((word = strsep(&rest, " ,'\"")) != NULL)
		if (*word != '\0')
			texts_add(&t, word);
	free(copy);
	return t;
}

void
launch_print(const struct launch *l, enum launch_dialect dialect, FILE *f)
{
	bool more = false;

	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const struct launch_row *row = &launch_rows[o];

		if (l->value[o] == NULL || (dialect == LAUNCH_NEMO && row->key == NULL))
			continue;
		fputs(more ? " \\\n" : "", f);
		more = true;
		if (dialect == LAUNCH_NEMO) {
			/* Of Megatron-Bridge. */
			fprintf(f, "%s.%s=", o == LAUNCH_OPTIMIZER || o == LAUNCH_OPTIMIZERS ? "ddp" : "model",
			    row->key);
			if (row->takes == WORDS || row->takes == LISTS)
				put_list(f, l->value[o]);
			else
				put_value(f, row->takes == NO_WORD ? "true" : l->value[o]);
			continue;
		}
		fputs(row->flag, f);
		if (row->takes != NO_WORD) {
			putc(' ', f);
			if (row->takes == WORDS)
				fputs(l->value[o], f);
			else if (row->takes == LISTS)
				put_quoted(f, l->value[o]);
			else
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
	/* Like Python's int(), allow whitespace such as a carriage return. */
	end += strspn(end, " \t\r\n");
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
