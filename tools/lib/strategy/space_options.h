/* A space by the options that sapp-enum and sapp-est share. */
#ifndef SPACE_OPTIONS_H
#define SPACE_OPTIONS_H

#include <getopt.h>

#include "space.h"

/* Values of getopt's that begin here are a space's. */
enum { SPACE_OPTION = 0x2000, SPACE_OPTION_DEVICES = SPACE_OPTION + DIMENSIONS, SPACE_OPTION_BATCH, SPACE_OPTION_RULES,
	SPACE_OPTION_TP_MAX, SPACE_OPTION_PP_MAX, SPACE_OPTION_CP_MAX, SPACE_OPTION_EP_MAX, SPACE_OPTION_EVEN,
	    SPACE_OPTION_END };

#define SPACE_OPTIONS \
	{ "n", required_argument, NULL, SPACE_OPTION_DEVICES }, { "gb", required_argument, NULL, SPACE_OPTION_BATCH }, \
	{ "rules", required_argument, NULL, SPACE_OPTION_RULES }, \
	{ "dp", required_argument, NULL, SPACE_OPTION + DIM_DP }, \
	{ "tp", required_argument, NULL, SPACE_OPTION + DIM_TP }, \
	{ "cp", required_argument, NULL, SPACE_OPTION + DIM_CP }, \
	{ "pp", required_argument, NULL, SPACE_OPTION + DIM_PP }, \
	{ "ep", required_argument, NULL, SPACE_OPTION + DIM_EP }, \
	{ "etp", required_argument, NULL, SPACE_OPTION + DIM_ETP }, \
	{ "zero", required_argument, NULL, SPACE_OPTION + DIM_ZERO }, \
	{ "shard", required_argument, NULL, SPACE_OPTION + DIM_SHARD }, \
	{ "vp", required_argument, NULL, SPACE_OPTION + DIM_VP }, \
	{ "mbs", required_argument, NULL, SPACE_OPTION + DIM_MBS }, \
	{ "tp-max", required_argument, NULL, SPACE_OPTION_TP_MAX }, \
	{ "pp-max", required_argument, NULL, SPACE_OPTION_PP_MAX }, \
	{ "cp-max", required_argument, NULL, SPACE_OPTION_CP_MAX }, \
	{ "ep-max", required_argument, NULL, SPACE_OPTION_EP_MAX }, \
	{ "even", no_argument, NULL, SPACE_OPTION_EVEN }

#define SPACE_USAGE \
"       [-rules megatron|mindformers] [-dp list] [-tp list] [-cp list] [-pp list] [-ep list] [-etp list|tp]\n" \
"       [-zero list] [-shard list|all] [-vp list] [-mbs list] [-tp-max n] [-pp-max n] [-cp-max n] [-ep-max n] [-even]\n"

/* Take option CH of getopt; false where it is none of a space's. */
bool space_option(struct space *, int ch, const char *text);
/* Exit with USAGE unless devices and batch were given. */
void space_options_check(const struct space *, const char *usage);
/* The space is this network's; CLUSTER, or NULL, limits tp where no option does. */
void space_begin(struct space *, const struct architecture *, const struct cluster *);

#endif
