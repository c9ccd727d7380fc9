/* The options for a space that sapp-enum and sapp-est share. */
#ifndef SPACE_OPTIONS_H
#define SPACE_OPTIONS_H

#include "lib/base/option.h"

#include "listed.h"
#include "space.h"

/* Rows of an option table that fill struct space *S. */
#define SPACE_OPTIONS(s) \
	{ "n", "DEVICES", "devices of the job", .whole = &(s)->devices, .min = 1, .max = 1 << 24 }, \
	{ "gb", "SEQUENCES", "sequences of a step", .whole = &(s)->batch, .min = 1, .max = 1 << 26 }, \
	{ "rules", "megatron or mindformers", "rules of this framework (megatron)", \
		.choice = &(s)->framework, .names = framework_names }, \
	{ "dp", "LIST", "degrees of data parallelism", .take = space_take_degrees, .into = (s) }, \
	{ "tp", "LIST", "degrees of tensor parallelism", .take = space_take_degrees, .into = (s) }, \
	{ "cp", "LIST", "degrees of context parallelism", .take = space_take_degrees, .into = (s) }, \
	{ "cp-kind", "ring,ulysses", "attention over context-parallel ranks (ring)", \
		.marks = (s)->cp_kind, .names = context_names }, \
	{ "pp", "LIST", "degrees of pipeline parallelism", .take = space_take_degrees, .into = (s) }, \
	{ "ep", "LIST", "degrees of expert parallelism", .take = space_take_degrees, .into = (s) }, \
	{ "etp", "LIST or tp", "degrees of tensor parallelism within experts", \
		.take = space_take_degrees, .into = (s) }, \
	{ "zero", "LIST", "ZeRO stages, 0 to 3", .take = space_take_degrees, .into = (s) }, \
	{ "shard", "LIST or all", "number of ranks that share the optimizer state", \
		.take = space_take_degrees, .into = (s) }, \
	{ "vp", "LIST", "model chunks per stage", .take = space_take_degrees, .into = (s) }, \
	{ "mbs", "LIST", "sequences of a micro-batch (micro-batch size)", .take = space_take_degrees, .into = (s) }, \
	{ "mb", "LIST", "micro-batches of a step", .take = space_take_degrees, .into = (s) }, \
	{ "only", "FILE.csv", "only the configurations of this table", .take = listed_take, .into = (s) }, \
	{ "even", NULL, "only the same number of layers on every stage", .flag = &(s)->even }, \
	{ "empty", NULL, "also chunks with only the embedding or only the loss", .flag = &(s)->empty }, \
	{ "dispatcher", "LIST", "how tokens reach experts: alltoall, flex", \
		.marks = (s)->variants.dispatcher, .names = dispatcher_names }, \
	{ "ep-overlap", "LIST", "all-to-alls overlapped with other work: no, yes", \
		.marks = (s)->variants.ep_overlap, .names = space_no_yes }, \
	{ "graph", "LIST", "CUDA graphs: none, part, full", \
		.marks = (s)->variants.graph, .names = graph_names }, \
	{ "fused", "LIST", "operators fused: none, mc2, permute, mc2+permute", \
		.marks = (s)->variants.fused, .names = space_fused }, \
	{ "compute", "LIST", "matrix products of layers: bf16, fp8, fp8_block, mxfp8, fp4", \
		.marks = (s)->variants.compute, .names = number_types }, \
	{ "optimizer", "LIST", "states of the optimizer: adam, adam16, sgd", \
		.marks = (s)->variants.optimizer, .names = optimizer_names }, \
	{ "optimizer-host", "LIST", "fractions of the optimizer on the host: 0,0.5", \
		.list = &(s)->variants.host, .min = 0, .max = 1 }, \
	{ "modules", "LIST", "recomputed modules: none, mla_up_proj+mlp, moe_act, ...", \
		.take = space_take_modules, .into = (s) }

#define SPACE_USAGE \
"       [-rules megatron|mindformers] [-dp list] [-tp list] [-cp list] [-cp-kind ring,ulysses] [-pp list]\n" \
"       [-ep list] [-etp list|tp] [-zero list] [-shard list|all] [-vp list] [-mbs list] [-mb list]\n" \
"       [-only file.csv] [-even] [-empty] [-dispatcher list] [-ep-overlap list] [-graph list]\n" \
"       [-modules list] [-fused list] [-compute list] [-optimizer list] [-optimizer-host list]\n"

extern const char *const space_no_yes[], *const space_fused[];
void space_take_degrees(void *space, const char *option, char *text);
void space_take_modules(void *space, const char *option, char *text);
/* Exit with the usage unless the numbers of devices and of sequences are set. */
void space_options_check(const struct space *);
/* Take settings that no option gives from the configuration of a user's file (origin "current"). */
void space_take(struct space *, const struct configuration *);
/* Set the network. Without -tp, the number of devices per node of CLUSTER is the maximum of tp. CLUSTER may be NULL. */
void space_begin(struct space *, const struct architecture *, const struct cluster *);

#endif
