/* What the command line of sapp-est says. */
#include "options.h"

#include <math.h>

#include "lib/base/option.h"

static const char usage[] =
"usage: sapp-est [-hVv] [-cluster name|file] [-imbalance x] [-flops causal|noncausal] [-parts] [-layers]\n"
"                [-parameters] [-below ms] [-peaks logs [-nd file.csv [-nd-ep n]]] [-profile file.csv]\n"
"                [-measured file] [file ...]\n"
"       sapp-est -cluster name|file -calibrate runs.jsonl\n"
"       sapp-est -space -n devices -gb sequences [-k n] [-by step_time|lower_bound] [-below ms]\n"
"       [-alike percent]\n" SPACE_USAGE
"       [-cluster name|file] [-imbalance x] [file ...]\n"
"example: sapp-est -cluster a100-80gb configurations.jsonl\n";

enum { O_CLUSTER = 1, O_IMBALANCE, O_FLOPS, O_LAYERS, O_PARTS, O_PARAMETERS, O_SPACE, O_KEEP, O_ALIKE, O_BY, O_BELOW,
    O_PEAKS, O_ND, O_EP_MOST, O_PROFILE, O_MEASURED,
    O_CALIBRATE };

static const struct option_row options[] = {
	{ "cluster", "NAME or FILE", O_CLUSTER, "what the devices can do; -cluster ? lists the names" },
	{ "imbalance", "X", O_IMBALANCE, "how much longer the slowest stage takes than the mean (1)" },
	{ "peaks", "LOGS", O_PEAKS, "peaks of dryruns, in the place of computed memory" },
	{ "nd", "FILE.csv", O_ND, "write what these peaks say of other degrees of ep" },
	{ "nd-ep", "N", O_EP_MOST, "the largest ep of that file (64)" },
	{ "profile", "FILE.csv", O_PROFILE, "layer times of profiled configurations" },
	{ "measured", "FILE", O_MEASURED, "records of sapp-trace and sapp-memsplit, as if before the first candidate" },
	{ "calibrate", "RUNS.jsonl", O_CALIBRATE, "fit the cluster to steps that were measured" },
	{ "flops", "causal or noncausal", O_FLOPS, "which scores of attention are counted" },
	{ "layers", NULL, O_LAYERS, "layer records of the best configuration too, for sapp-lp" },
	{ "parts", NULL, O_PARTS, "what time and memory are made of" },
	{ "parameters", NULL, O_PARAMETERS, "the parameters of the network, and nothing else" },
	{ "space", NULL, O_SPACE, "estimate every configuration of -n devices, keep the best" },
	{ "k", "N", O_KEEP, "how many of the space are kept" },
	{ "alike", "PERCENT", O_ALIKE, "estimates that agree so far are one row (0.05); 0: a row each" },
	{ "below", "MS", O_BELOW, "only those that a plan can be below this time of" },
	{ "by", "step_time or lower_bound", O_BY, "what the best of the space is by" },
	SPACE_OPTIONS,
	OPTION_COMMON,
	{ 0 }
};

struct wanted
wanted_read(int argc, char *argv[])
{
	static const char *const flops[] = { "causal", "noncausal", NULL },
	    *const by[] = { "step_time", "lower_bound", NULL };
	struct wanted w = { .imbalance = 1, .keep = 10, .alike = -1, .below = INFINITY, .ep_most = 64 };
	bool of_space = false;
	int ch;

	while ((ch = option_next(argc, argv, usage, options)) != -1)
		switch (ch) {
		case O_CLUSTER:
			w.cluster = optarg;
			break;
		case O_IMBALANCE:
			w.imbalance = option_real("-imbalance", optarg, 1, 1e6);
			break;
		case O_PEAKS:
			w.peaks = optarg;
			break;
		case O_ND:
			w.nd = optarg;
			break;
		case O_EP_MOST:
			w.ep_most = option_int("-nd-ep", optarg, 1, 1 << 20);
			break;
		case O_PROFILE:
			w.profile = optarg;
			break;
		case O_MEASURED:
			w.records = optarg;
			break;
		case O_CALIBRATE:
			w.runs = optarg;
			break;
		case O_FLOPS:
			w.noncausal = option_choice("-flops", optarg, flops) == 1;
			break;
		case O_LAYERS:
			w.layers = true;
			break;
		case O_PARTS:
			w.parts = true;
			break;
		case O_PARAMETERS:
			w.parameters = true;
			break;
		case O_SPACE:
			w.space = true;
			break;
		case O_KEEP:
			w.keep = option_int("-k", optarg, 1, 10000000);
			break;
		case O_BELOW:
			w.below = option_real("-below", optarg, 0, 1e18);
			break;
		case O_ALIKE:
			w.alike = option_real("-alike", optarg, 0, 100);
			break;
		case O_BY:
			w.by = option_choice("-by", optarg, by);
			break;
		default:
			of_space |= space_option(&w.asked, ch, optarg);
		}
	if (w.nd != NULL && w.peaks == NULL)
		option_usage(usage, "-nd: is of what -peaks finds");
	if (w.runs != NULL && w.cluster == NULL)
		option_usage(usage, "-calibrate: which cluster is missing, -cluster");
	if (w.space)
		space_options_check(&w.asked, usage);
	else if (of_space)
		option_usage(usage, "options of a space go with -space");
	return w;
}
