/* The arguments of a training run of Megatron-LM or its kin, as text. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

/*
 * The options: name, argument of a command, key in NeMo's model configuration (NULL: none), number of words that
 * follow. Options from CONTEXT_KIND on do not affect the pipeline. CONTEXT_ALGORITHM belongs to MindSpeed. WORLD occurs
 * only in logs.
 */
#define LAUNCH_ROWS(X) \
	X(LAYERS, "--num-layers", "num_layers", ONE_WORD) \
	X(MTP, "--mtp-num-layers", "mtp_num_layers", ONE_WORD) \
	X(STAGES, "--pipeline-model-parallel-size", "pipeline_model_parallel_size", ONE_WORD) \
	X(VIRTUAL, "--num-virtual-stages-per-pipeline-rank", "virtual_pipeline_model_parallel_size", ONE_WORD) \
	X(PER_VIRTUAL, "--num-layers-per-virtual-pipeline-stage", NULL, ONE_WORD) \
	X(FIRST, "--decoder-first-pipeline-num-layers", "num_layers_in_first_pipeline_stage", ONE_WORD) \
	X(LAST, "--decoder-last-pipeline-num-layers", "num_layers_in_last_pipeline_stage", ONE_WORD) \
	X(LAYOUT, "--pipeline-model-parallel-layout", "pipeline_model_parallel_layout", ONE_WORD) \
	X(HYBRID, "--hybrid-layer-pattern", "hybrid_layer_pattern", ONE_WORD) \
	X(LIST, "--num-layer-list", NULL, ONE_WORD) \
	X(NOOP, "--noop-layers", NULL, ONE_WORD) \
	X(SCHEDULE, "--schedules-method", NULL, ONE_WORD) \
	X(OVERLAP, "--overlap-moe-expert-parallel-comm", "overlap_moe_expert_parallel_comm", NO_WORD) \
	X(GROUP, "--microbatch-group-size-per-virtual-pipeline-stage", "microbatch_group_size_per_vp_stage", ONE_WORD) \
	X(GRANULARITY, "--recompute-granularity", "recompute_granularity", ONE_WORD) \
	X(METHOD, "--recompute-method", "recompute_method", ONE_WORD) \
	X(RECOMPUTE, "--recompute-num-layers", "recompute_num_layers", ONE_WORD) \
	X(MODULES, "--recompute-modules", "recompute_modules", WORDS) \
	X(OFFLOAD, "--fine-grained-activation-offloading", "fine_grained_activation_offloading", NO_WORD) \
	X(OFFLOAD_MODULES, "--offload-modules", "offload_modules", WORDS) \
	X(SWAP, "--swap-attention", NULL, NO_WORD) \
	X(SWAP_MODULES, "--swap-modules", NULL, ONE_WORD) \
	X(ACTIVATIONS, "--recompute-activations", NULL, NO_WORD) \
	X(PER_RANK, "--enable-recompute-layers-per-pp-rank", NULL, NO_WORD) \
	X(EMBEDDING_COUNTS, "--account-for-embedding-in-pipeline-split", \
	    "account_for_embedding_in_pipeline_split", NO_WORD) \
	X(LOSS_COUNTS, "--account-for-loss-in-pipeline-split", "account_for_loss_in_pipeline_split", NO_WORD) \
	X(SPLIT_LIST, "--decoder-pipeline-manual-split-list", "decoder_pipeline_manual_split_list", ONE_WORD) \
	X(LAYER_IDS, "--recompute-layer-ids", "recompute_layer_ids", ONE_WORD) \
	X(OWN_RUNTIME, "--patch-primus-pipeline", "patch_primus_pipeline", NO_WORD) \
	X(ALGORITHM, "--pp-algorithm", "pp_algorithm", ONE_WORD) \
	X(OFFLOAD_ORDER, "--offload", "offload", NO_WORD) \
	X(ZERO_BUBBLE, "--patch-zero-bubble", "patch_zero_bubble", NO_WORD) \
	X(ZB_ENABLE, "--enable-zero-bubble", "enable_zero_bubble", NO_WORD) \
	X(ZB_PENDING, "--zero-bubble-max-pending-backward", "zero_bubble_max_pending_backward", ONE_WORD) \
	X(ZB_V, "--zero-bubble-v-schedule", "zero_bubble_v_schedule", NO_WORD) \
	X(ZB_V_MEMORY, "--zero-bubble-v-schedule-mem-setup", "zero_bubble_v_schedule_mem_setup", ONE_WORD) \
	X(V_1F1B, "--enable-1f1b-v", "enable_1f1b_v", NO_WORD) \
	X(STAGE_FULL, "--recompute-granularity-per-stage-micro-batch", \
	    "recompute_granularity_per_stage_micro_batch", LISTS) \
	X(STAGE_METHOD, "--recompute-method-per-stage-micro-batch", "recompute_method_per_stage_micro_batch", LISTS) \
	X(STAGE_LAYERS, "--recompute-num-layers-per-stage-micro-batch", \
	    "recompute_num_layers_per_stage_micro_batch", LISTS) \
	X(HETERO, "--enable-hetero", "enable_hetero", NO_WORD) \
	X(HETERO_LIST, "--hetero-pipeline-layer-split", "hetero_pipeline_layer_split", WORDS) \
	X(PARTIAL, "--num-microbatches-with-partial-activation-checkpoints", \
	    "num_microbatches_with_partial_activation_checkpoints", ONE_WORD) \
	X(FRACTION, "--activation-offload-fraction", "activation_offload_fraction", ONE_WORD) \
	X(LESS, "--delta-offload-bytes-across-pp-ranks", "delta_offload_bytes_across_pp_ranks", ONE_WORD) \
	X(GLOBAL_BATCH, "--global-batch-size", "global_batch_size", ONE_WORD) \
	X(MICRO_BATCH, "--micro-batch-size", "micro_batch_size", ONE_WORD) \
	X(SEQ_LENGTH, "--seq-length", NULL, ONE_WORD) \
	X(TENSOR, "--tensor-model-parallel-size", "tensor_model_parallel_size", ONE_WORD) \
	X(CONTEXT, "--context-parallel-size", "context_parallel_size", ONE_WORD) \
	X(CONTEXT_KIND, "--cp-comm-type", "cp_comm_type", WORDS) \
	X(EXPERTS, "--num-experts", NULL, ONE_WORD) \
	X(EXPERT, "--expert-model-parallel-size", "expert_model_parallel_size", ONE_WORD) \
	X(EXPERT_TENSOR, "--expert-tensor-parallel-size", "expert_tensor_parallel_size", ONE_WORD) \
	X(DISPATCHER, "--moe-token-dispatcher-type", "moe_token_dispatcher_type", ONE_WORD) \
	X(DEEPEP, "--moe-enable-deepep", "moe_enable_deepep", NO_WORD) \
	X(FLEX, "--moe-flex-dispatcher-backend", "moe_flex_dispatcher_backend", ONE_WORD) \
	X(MC2, "--use-ascend-mc2", NULL, NO_WORD) \
	X(PERMUTE, "--moe-permute-fusion", "moe_permute_fusion", NO_WORD) \
	X(PERMUTE_SAME, "--use-fused-moe-token-permute-and-unpermute", NULL, NO_WORD) \
	X(GRAPH, "--cuda-graph-impl", "cuda_graph_impl", ONE_WORD) \
	X(GRAPH_SCOPE, "--cuda-graph-scope", "cuda_graph_scope", WORDS) \
	X(GRAPH_MODULES, "--cuda-graph-modules", "cuda_graph_modules", WORDS) \
	X(GRAPH_EXTERNAL, "--external-cuda-graph", "external_cuda_graph", NO_WORD) \
	X(GRAPH_ENABLE, "--enable-cuda-graph", "enable_cuda_graph", NO_WORD) \
	X(SEQUENCE, "--sequence-parallel", "sequence_parallel", NO_WORD) \
	X(OPTIMIZER, "--use-distributed-optimizer", "use_distributed_optimizer", NO_WORD) \
	X(OPTIMIZERS, "--num-distributed-optimizer-instances", "num_distributed_optimizer_instances", ONE_WORD) \
	X(FSDP, "--use-torch-fsdp2", "use_torch_fsdp2", NO_WORD) \
	X(OPTIMIZER_KIND, "--optimizer", NULL, ONE_WORD) \
	X(AWARE, "--use-precision-aware-optimizer", "use_precision_aware_optimizer", NO_WORD) \
	X(MOMENT, "--exp-avg-dtype", "exp_avg_dtype", ONE_WORD) \
	X(SQUARE, "--exp-avg-sq-dtype", "exp_avg_sq_dtype", ONE_WORD) \
	X(HOST, "--optimizer-cpu-offload", "optimizer_cpu_offload", NO_WORD) \
	X(HOST_FRACTION, "--optimizer-offload-fraction", "optimizer_offload_fraction", ONE_WORD) \
	X(FP8, "--fp8-format", "fp8", ONE_WORD) \
	X(FP8_RECIPE, "--fp8-recipe", "fp8_recipe", ONE_WORD) \
	X(FP4, "--fp4-format", "fp4", ONE_WORD) \
	X(FP8_ATTENTION, "--fp8-dot-product-attention", "fp8_dot_product_attention", NO_WORD) \
	X(FP8_HEADS, "--fp8-multi-head-attention", "fp8_multi_head_attention", NO_WORD) \
	X(CONTEXT_ALGORITHM, "--context-parallel-algo", NULL, ONE_WORD) \
	X(NODES, "--nnodes", NULL, ONE_WORD) \
	X(NODE_DEVICES, "--nproc_per_node", NULL, ONE_WORD) \
	X(WORLD, "--world-size", NULL, ONE_WORD)

#define LAUNCH_NAME(name, flag, key, takes) LAUNCH_##name,
enum launch_option { LAUNCH_ROWS(LAUNCH_NAME) LAUNCH_OPTIONS, LAUNCH_SETTINGS = LAUNCH_CONTEXT_KIND };
#undef LAUNCH_NAME

/*
 * How arguments are written: --num-layers 4; model.num_layers=4; num_layers: 4 in a YAML. LAUNCH_DIALECTS: not at all.
 */
enum launch_dialect { LAUNCH_ARGUMENTS, LAUNCH_NEMO, LAUNCH_YAML, LAUNCH_DIALECTS };

struct launch {
	char *source;
	bool keys;	/* the arguments are keys of a YAML file */
	char *value[LAUNCH_OPTIONS];	/* NULL: absent; "" for options without words; words are separated by blanks */
	struct place place[LAUNCH_OPTIONS];
};

/* Return the name of an option on the command line. */
const char *launch_name(enum launch_option);
/* Return this name, or the name in DeepSpeed's forks of Megatron-LM. */
const char *launch_name_in(enum launch_option, bool deepspeed);
/* Return the name of an option in a configuration. For options that commands do not have. */
const char *launch_key(enum launch_option);
/* Return whether the dialect has a way to write the option. */
bool launch_said_in(enum launch_option, enum launch_dialect);
/* Return the option with this name on the command line or in a configuration; LAUNCH_OPTIONS: none. */
enum launch_option launch_named(const char *word);
struct spelled;
/* Return the option whose other name this is; LAUNCH_OPTIONS: none. */
enum launch_option launch_of_spelled(const struct spelled *);
/* Return the number of words that follow the option: 0, 1, or -1 for any number. */
int launch_takes(enum launch_option);
bool launch_is(const struct launch *, enum launch_option, const char *value);
/* Set the value of an option. Takes ownership of VALUE. */
void launch_set(struct launch *, enum launch_option, char *value);
/* Print the options, one per line, such that they can be pasted into a shell command. */
void launch_print(const struct launch *, enum launch_dialect, FILE *);
struct started;
/* Read the options among the arguments of a command. Exit, naming the line, if a needed value is unknown. */
void launch_of_started(struct launch *, const struct started *);
void launch_free(struct launch *);

/*
 * Return the value as a number, or 0 if the option is absent. Exit, naming its line, unless it is a number from MIN to
 * MAX.
 */
int launch_int(const struct launch *, enum launch_option, int min, int max);
/*
 * Return the value, such as "3,4,4,3" or "[11, 13]", as a list [1][n]. Exit, naming its line, unless each number is
 * from MIN to MAX.
 */
struct grid launch_numbers(const struct launch *, enum launch_option, int min, int max);
/* Return the words of the value, which blanks or commas separate. Caller frees. */
struct texts launch_words(const struct launch *, enum launch_option);

#endif
