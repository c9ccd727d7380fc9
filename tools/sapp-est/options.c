/* What the command line of sapp-est says. */
#include "options.h"

#include <math.h>

#include "lib/base/option.h"

static const char usage[] =
"usage: sapp-est [-hVv] [-cluster name|file] [-imbalance x] [-flops causal|noncausal] [-parts] [-layers]\n"
"                [-parameters] [-peaks logs [-nd file.csv [-nd-ep n]]] [-profile file.csv] [file ...]\n"
"       sapp-est -cluster name|file -calibrate runs.jsonl\n"
"       sapp-est -space -n devices -gb sequences [-k n] [-by step_time|lower_bound] [-below ms]\n" SPACE_USAGE
"       [-cluster name|file] [-imbalance x] [file ...]\n";

enum { O_CLUSTER = 1, O_IMBALANCE, O_FLOPS, O_LAYERS, O_PARTS, O_PARAMETERS, O_SPACE, O_KEEP, O_BY, O_BELOW,
    O_PEAKS, O_ND, O_EP_MOST, O_PROFILE, O_CALIBRATE };

static const struct option options[] = {
	{ "cluster", required_argument, NULL, O_CLUSTER },
	{ "imbalance", required_argument, NULL, O_IMBALANCE },
	{ "peaks", required_argument, NULL, O_PEAKS },
	{ "nd", required_argument, NULL, O_ND },
	{ "nd-ep", required_argument, NULL, O_EP_MOST },
	{ "profile", required_argument, NULL, O_PROFILE },
	{ "calibrate", required_argument, NULL, O_CALIBRATE },
	{ "flops", required_argument, NULL, O_FLOPS },
	{ "layers", no_argument, NULL, O_LAYERS },
	{ "parts", no_argument, NULL, O_PARTS },
	{ "parameters", no_argument, NULL, O_PARAMETERS },
	{ "space", no_argument, NULL, O_SPACE },
	{ "k", required_argument, NULL, O_KEEP },
	{ "below", required_argument, NULL, O_BELOW },
	{ "by", required_argument, NULL, O_BY },
	SPACE_OPTIONS,
	OPTION_COMMON,
	{ 0 }
};

struct wanted
wanted_read(int argc, char *argv[])
{
	static const char *const flops[] = { "causal", "noncausal", NULL },
	    *const by[] = { "step_time", "lower_bound", NULL };
	struct wanted w = { .imbalance = 1, .keep = 10, .below = INFINITY, .ep_most = 64 };
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
