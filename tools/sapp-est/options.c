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
		{ "clusters", NULL, "list the installed cluster records, with their use and confidence",
			.flag = &w.clusters },
		{ "cluster-template", "NAME or FILE", "print this cluster record as a template to edit",
		    .text = &w.template },
		{ "imbalance", "X", "tokens of the busiest device's experts / mean (1)", .real = &w.imbalance,
			.min = 1, .max = 1e6 },
		{ "peaks", "LOGS", "peak memory of dryruns, used instead of computed memory", .text = &w.peaks },
		{ "nd", "FILE.csv", "write memory for other degrees of expert parallelism, from these peaks",
			.text = &w.nd },
		{ "nd-ep", "N", "with -nd: largest degree of expert parallelism (64)",
			.whole = &w.ep_most, .min = 1, .max = 1 << 20 },
		{ "profile", "FILE.csv", "measured layer times of configurations", .text = &w.profile },
		{ "measured", "FILE", "measurements: records of sapp-trace, sapp-memsplit or operators",
			.text = &w.records },
		{ "current", "FILE", "the candidate that runs today; not estimated itself",
			.text = &w.current },
		{ "operators", NULL, "print the operators to measure, instead of estimates", .flag = &w.operators },
		{ "until", "PERCENT", "with -operators: share of the layers' time that may stay unmeasured (2)",
			.real = &w.until, .min = 0, .max = 100 },
		{ "calibrate", "RUNS.jsonl", "fit the cluster record to measured steps", .text = &w.runs },
		{ "flops", "causal or noncausal", "attention scores that MFU counts (causal)",
			.choice = &w.noncausal, .names = flops },
		{ "layers", NULL, "print each candidate as a question for sapp-lp, instead of estimates",
		    .flag = &w.layers },
		{ "tower-first", NULL, "with -layers: put a frozen tower on the first stage, as HEAD layers",
			.flag = &w.tower_first },
		{ "parts", NULL, "also print the parts of time and memory", .flag = &w.parts },
		{ "next", NULL, "after the estimates, print the short run that helps most to rank them",
		    .flag = &w.next },
		{ "parameters", NULL, "print only the number of parameters", .flag = &w.parameters },
		{ "space", NULL, "estimate every configuration of -n devices and keep the best", .flag = &w.space },
		{ "k", "N", "keep the best N of the space (10)", .whole = &w.keep, .min = 1, .max = 10000000 },
		{ "alike", "PERCENT", "merge estimates that differ by less into one row (0.05; 0: never)",
			.real = &w.alike, .min = 0, .max = 100 },
		{ "below", "MS", "only configurations whose plan may take less than this", .real = &w.below,
			.min = 0, .max = 1e18 },
		{ "by", "step_time or lower_bound", "order of the best configurations (step_time)", .choice = &w.by,
			.names = by },
		SPACE_OPTIONS(&w.asked),
		{ 0 }
	};

	w.operands = options_take(argc, argv, usage, options);
	if (w.nd != NULL && w.peaks == NULL)
		option_usage("-nd: needs -peaks");
	if (w.runs != NULL && w.cluster == NULL)
		option_usage("-calibrate: needs -cluster, the cluster to fit");
	if (w.tower_first && !w.layers)
		option_usage("-tower-first: needs -layers");
	if (w.operators && (w.space || w.layers || w.parts || w.next || w.parameters))
		option_usage("-operators: not with -space, -layers, -parts, -next or -parameters");
	if (w.space)
		space_options_check(&w.asked);
	else if (memcmp(&w.asked, &none, sizeof none) != 0)
		option_usage("options of a space, such as -n and -dp, need -space");
	return w;
}
