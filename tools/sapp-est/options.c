#include "options.h"

#include <math.h>
#include <string.h>

#include "lib/base/option.h"

static const char usage[] =
"usage: sapp-est [-hVv] [-cluster name|file] [-imbalance x] [-flops causal|noncausal] [-parts]\n"
"                [-layers [-tower-first]] [-next] [-parameters] [-below ms]\n"
"                [-peaks logs [-nd file.csv [-nd-ep n]]] [-profile file.csv]\n"
"                [-measured file] [-current file] [-operators [-until percent]] [file ...]\n"
"       sapp-est -cluster name|file -calibrate runs.jsonl\n"
"       sapp-est -clusters | -cluster-template name|file\n"
"       sapp-est -space -n devices -gb sequences [-k n] [-by step_time|lower_bound] [-below ms]\n"
"       [-alike percent]\n" SPACE_USAGE
"       [-cluster name|file] [-imbalance x] [file ...]\n"
"example: sapp-est -cluster a100-80gb configurations.jsonl\n";

struct wanted_output
wanted_read(int argc, char *argv[])
{
	static const char *const flops[] = { "causal", "noncausal", NULL },
	    *const by[] = { "step_time", "lower_bound", NULL };
	static const struct space none;
	struct wanted_output w = { .imbalance = 1, .keep = 10, .alike = -1, .below = INFINITY, .ep_most = 64,
	    .until = 2 };
	const struct option_row options[] = {
		{ "cluster", "NAME or FILE", "cluster record; -cluster ? lists the names",
			.text = &w.cluster },
		{ "clusters", NULL, "list the installed cluster records: what for, how far to trust them",
			.flag = &w.clusters },
		{ "cluster-template", "NAME or FILE", "print this cluster record, to be edited", .text = &w.template },
		{ "imbalance", "X", "rows of the busiest device's experts over the mean (1)", .real = &w.imbalance,
			.min = 1, .max = 1e6 },
		{ "peaks", "LOGS", "peaks of dryruns, instead of computed memory", .text = &w.peaks },
		{ "nd", "FILE.csv", "write what these peaks say of other degrees of expert parallelism",
			.text = &w.nd },
		{ "nd-ep", "N", "largest expert parallelism of that file (64)",
			.whole = &w.ep_most, .min = 1, .max = 1 << 20 },
		{ "profile", "FILE.csv", "layer times of profiled configurations", .text = &w.profile },
		{ "measured", "FILE", "records of sapp-trace, sapp-memsplit, operators, before candidates",
			.text = &w.records },
		{ "current", "FILE", "the candidate that runs today, which is not estimated itself",
			.text = &w.current },
		{ "operators", NULL, "print which operators to measure, instead of estimates", .flag = &w.operators },
		{ "until", "PERCENT", "with -operators: of layers and ends, what may stay unmeasured (2)",
			.real = &w.until, .min = 0, .max = 100 },
		{ "calibrate", "RUNS.jsonl", "fit the cluster record to measured steps", .text = &w.runs },
		{ "flops", "causal or noncausal", "attention scores that mfu counts (causal)",
			.choice = &w.noncausal, .names = flops },
		{ "layers", NULL, "layer records of the best configuration, for sapp-lp", .flag = &w.layers },
		{ "tower-first", NULL, "with -layers: a frozen tower is on the first stage, as HEAD layers",
			.flag = &w.tower_first },
		{ "parts", NULL, "parts of time and memory of each layer", .flag = &w.parts },
		{ "next", NULL, "behind estimates, the best first, the run that tells most of which is",
		    .flag = &w.next },
		{ "parameters", NULL, "print only the number of parameters", .flag = &w.parameters },
		{ "space", NULL, "estimate every configuration of -n devices, keep the best", .flag = &w.space },
		{ "k", "N", "keep the best N of the space (10)", .whole = &w.keep, .min = 1, .max = 10000000 },
		{ "alike", "PERCENT", "estimates that agree so far are one row (0.05); 0: a row each",
			.real = &w.alike, .min = 0, .max = 100 },
		{ "below", "MS", "only configurations that may have a plan below this step time", .real = &w.below,
			.min = 0, .max = 1e18 },
		{ "by", "step_time or lower_bound", "rank the space by this (step_time)", .choice = &w.by,
			.names = by },
		SPACE_OPTIONS(&w.asked),
		{ 0 }
	};

	w.operands = options_take(argc, argv, usage, options);
	if (w.nd != NULL && w.peaks == NULL)
		option_usage("-nd: is of what -peaks finds");
	if (w.runs != NULL && w.cluster == NULL)
		option_usage("-calibrate: which cluster is missing, -cluster");
	if (w.tower_first && !w.layers)
		option_usage("-tower-first goes with -layers");
	if (w.operators && (w.space || w.layers || w.parts || w.next || w.parameters))
		option_usage("-operators is an answer of its own: without -space, -layers, -parts, -next, -parameters");
	if (w.space)
		space_options_check(&w.asked);
	else if (memcmp(&w.asked, &none, sizeof none) != 0)
		option_usage("options of a space go with -space");
	return w;
}
