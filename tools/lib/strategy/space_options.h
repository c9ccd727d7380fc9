/* A space by the options that sapp-enum and sapp-est share. */
#ifndef SPACE_OPTIONS_H
#define SPACE_OPTIONS_H

#include "lib/base/option.h"

#include "space.h"

/* Values of getopt's that begin here are a space's. */
enum { SPACE_OPTION = 0x2000, SPACE_OPTION_DEVICES = SPACE_OPTION + DIMENSIONS, SPACE_OPTION_BATCH, SPACE_OPTION_RULES,
	SPACE_OPTION_TP_MAX, SPACE_OPTION_PP_MAX, SPACE_OPTION_CP_MAX, SPACE_OPTION_EP_MAX, SPACE_OPTION_EVEN,
	SPACE_OPTION_DISPATCHER, SPACE_OPTION_EP_OVERLAP, SPACE_OPTION_GRAPH, SPACE_OPTION_MODULES,
	SPACE_OPTION_CP_KIND, SPACE_OPTION_EMPTY, SPACE_OPTION_END };

#define SPACE_OPTIONS \
	{ "n", "DEVICES", SPACE_OPTION_DEVICES, "how many devices" }, \
	{ "gb", "SEQUENCES", SPACE_OPTION_BATCH, "sequences of a step" }, \
	{ "rules", "megatron or mindformers", SPACE_OPTION_RULES, "whose rules" }, \
	{ "dp", "LIST", SPACE_OPTION + DIM_DP, "degrees of data parallelism" }, \
	{ "tp", "LIST", SPACE_OPTION + DIM_TP, "of tensor parallelism" }, \
	{ "cp", "LIST", SPACE_OPTION + DIM_CP, "of context parallelism" }, \
	{ "cp-kind", "ring,ulysses", SPACE_OPTION_CP_KIND, "how its attention works (ring)" }, \
	{ "pp", "LIST", SPACE_OPTION + DIM_PP, "of pipeline parallelism" }, \
	{ "ep", "LIST", SPACE_OPTION + DIM_EP, "of expert parallelism" }, \
	{ "etp", "LIST or tp", SPACE_OPTION + DIM_ETP, "of tensor parallelism within experts" }, \
	{ "zero", "LIST", SPACE_OPTION + DIM_ZERO, "stages of ZeRO" }, \
	{ "shard", "LIST or all", SPACE_OPTION + DIM_SHARD, "among how many the optimizer is divided" }, \
	{ "vp", "LIST", SPACE_OPTION + DIM_VP, "model chunks a stage" }, \
	{ "mbs", "LIST", SPACE_OPTION + DIM_MBS, "sequences of a micro-batch" }, \
	{ "tp-max", "N", SPACE_OPTION_TP_MAX, "at most so much of it" }, \
	{ "pp-max", "N", SPACE_OPTION_PP_MAX, "at most so much of it" }, \
	{ "cp-max", "N", SPACE_OPTION_CP_MAX, "at most so much of it" }, \
	{ "ep-max", "N", SPACE_OPTION_EP_MAX, "at most so much of it" }, \
	{ "even", NULL, SPACE_OPTION_EVEN, "as many layers on every stage" }, \
	{ "empty", NULL, SPACE_OPTION_EMPTY, "chunks of embedding and loss alone, too" }, \
	{ "dispatcher", "LIST", SPACE_OPTION_DISPATCHER, "of tokens to experts: alltoall, flex" }, \
	{ "ep-overlap", "LIST", SPACE_OPTION_EP_OVERLAP, "all-to-alls beside other work: no, yes" }, \
	{ "graph", "LIST", SPACE_OPTION_GRAPH, "launched as a whole: none, part, full" }, \
	{ "modules", "LIST", SPACE_OPTION_MODULES, "recomputed: none, mla_up_proj+mlp, moe_act, ..." }

#define SPACE_USAGE \
"       [-rules megatron|mindformers] [-dp list] [-tp list] [-cp list] [-cp-kind ring,ulysses] [-pp list]\n" \
"       [-ep list] [-etp list|tp] [-zero list] [-shard list|all] [-vp list] [-mbs list]\n" \
"       [-tp-max n] [-pp-max n] [-cp-max n] [-ep-max n] [-even]\n" \
"       [-empty] [-dispatcher list] [-ep-overlap list] [-graph list] [-modules list]\n"

/* Take option CH of getopt; false where it is none of a space's. */
bool space_option(struct space *, int ch, const char *text);
/* Exit with USAGE unless devices and batch were given. */
void space_options_check(const struct space *, const char *usage);
/* What a file runs today (origin "current") is how all of the space run where no option says otherwise. */
void space_take(struct space *, const struct configuration *);
/* The space is this network's; CLUSTER, or NULL, limits tp where no option does. */
void space_begin(struct space *, const struct architecture *, const struct cluster *);

#endif
