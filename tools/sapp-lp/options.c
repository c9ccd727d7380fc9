/* Options: the command line parsed. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "lib/schedule/schedule.h"
#include "lib/target/modules.h"
#include "sapp-lp/model/tuning.h"

const char options_usage[] =
"usage: sapp-lp [-hVvjH] [-s stages] [-mb micro-batches] [-mem MB[,MB...]] [-i chunks] [-lm 0|1|both]\n"
"               [-seq splits] [-S schedule[,schedule...]] [-group n] [-order file.csv] [-comm ms[,ms...]]\n"
"               [-blocking|-batched|-hidden] [-speed factor[,factor...]] [-spread share] [-offload GB/s]\n"
"               [-overlap fraction] [-t seconds] [-gap fraction] [-k plans] [-m model]\n"
"               [-mixes yaml|all|uniform] [-empty] [-target any|mindformers|megatron|mindspeed|pytorch]\n"
"               [-seed n] [-known answers.jsonl] [-lp file] [-mps file] [-solver command] [-cutoff ms]\n"
"               [-set name=0|1] [file ...]\n"
"example: sapp-lp -s 16 -mb 16 -mem 56000 layers.jsonl >plan.jsonl\n";

enum { O_STAGES = 1, O_MICRO, O_MEMORY, O_INTERLEAVE, O_LESS, O_SCHEDULE, O_COMM, O_TIME, O_GAP, O_KEEP, O_MODEL,
	O_MIXES, O_SEED, O_SPLITS, O_GROUP, O_ORDER, O_LP, O_MPS, O_SOLVER, O_TARGET, O_CUTOFF, O_KNOWN, O_SPEED,
	O_SPREAD, O_BLOCKING, O_BATCHED, O_HIDDEN, O_OFFLOAD, O_EMPTY, O_OVERLAP,
	O_SET };

static const struct option_row options[] = {
	{ "s", "STAGES", O_STAGES, "stages of the pipeline (of the job record, else 4)" },
	{ "mb", "N", O_MICRO, "micro-batches of a step (of the job record, else 4)" },
	{ "mem", "MB[,MB...]", O_MEMORY, "memory limit of a device, or of each stage (else 56000)" },
	{ "i", "N", O_INTERLEAVE, "model chunks a stage; 1-4 or 1,2 asks several (1)" },
	{ "lm", "0 or 1 or both", O_LESS, "less-memory order of interleaving (0)" },
	{ "S", "SCHEDULE[,...]", O_SCHEDULE, "schedules by name, ranked; -S ? lists them (1f1b, vpp)" },
	{ "comm", "MS[,MS...]", O_COMM, "time of a transfer, or of each boundary of stages (job record, else 0)" },
	{ "offload", "GB/S", O_OFFLOAD, "that a device offloads or gets back; kinds that offload need it" },
	{ "blocking", NULL, O_BLOCKING, "transfers keep both stages busy, sends before or after receives" },
	{ "batched", NULL, O_BATCHED, "transfers keep both stages busy, sends and receives at once" },
	{ "hidden", NULL, O_HIDDEN, "transfers take place beside operations (of the job record, else this)" },
	{ "speed", "FACTOR[,FACTOR...]", O_SPEED, "of all stages or each, over the devices measured (1)" },
	{ "spread", "SHARE", O_SPREAD, "plan for p90 of steps whose micro-batches vary by so much (0)" },
	{ "overlap", "FRACTION", O_OVERLAP, "of their sum, that a forward and a backward together take (1)" },
	{ "t", "SECONDS", O_TIME, "at most this long (90)" },
	{ "gap", "SHARE", O_GAP, "stop when the plan is at most so far from the optimum (0.001)" },
	{ "k", "N", O_KEEP, "how many plans are kept of all" },
	{ "m", "MODEL", O_MODEL, "this of several models" },
	{ "mixes", "yaml or all or uniform", O_MIXES, "which mixes of recomputation a piece may have" },
	{ "seed", "N", O_SEED, "of the search (1)" },
	{ "seq", "N", O_SPLITS, "parts that a sequence is divided into (1)" },
	{ "group", "N", O_GROUP, "micro-batches of a group of interleaving" },
	{ "order", "FILE.csv", O_ORDER, "own order of operations, schedule custom" },
	{ "known", "ANSWERS", O_KNOWN, "answers to these questions with other limits, to begin from" },
	{ "cutoff", "MS", O_CUTOFF, "give up on a question when no plan for it is below this" },
	{ "lp", "FILE", O_LP, "write the model as CPLEX LP, for other solvers" },
	{ "mps", "FILE", O_MPS, "write the model as MPS" },
	{ "solver", "COMMAND", O_SOLVER, "ask this solver, too: cbc, glpsol, highs, scip" },
	{ "set", "NAME=0|1", O_SET, "switch a mechanism of the planner, to measure it; -set ? lists them" },
	{ "empty", NULL, O_EMPTY, "pieces may be without layers, where the target can run them" },
	{ "target", "FRAMEWORK", O_TARGET, "only what it can run; -target ? lists them (any)" },
	OPTION_COMMON,
	{ 0 }
};

enum { ORDER_MAX = 1 << 26 };	/* bytes */

/* What the target can say, unless other mixes were asked for. */
static void
settle_mixes(struct options *a)
{
	enum target_rule rule = target_rule(a->target);

	if (a->target != TARGET_ANY && rule != RULE_PIECE && (a->mixes == MIXES_ALL || a->mixes == MIXES_YAML))
		option_usage(options_usage, "-mixes: %s takes none but uniform ones", target_titles[a->target]);
	if (a->target == TARGET_MINDFORMERS && a->mixes == MIXES_ALL)
		option_usage(options_usage, "-mixes: %s takes none but those that lists can say",
		    target_titles[a->target]);
	if (a->mixes < 0)
		a->mixes = rule == RULE_PIECE ? MIXES_YAML : MIXES_UNIFORM;
	a->listed = a->mixes != MIXES_ALL;
	a->uniform = a->mixes == MIXES_UNIFORM;
}

void
options_keep_kinds(const struct options *a, struct network *net, const struct records *all)
{
	struct modules modules;

	if (a->uniform) {
		modules = modules_of(all);
		network_keep_modules(net, modules_kinds_of(&modules, a->target, net));
	} else if (a->listed) {
		network_keep_said(net);
	}
}

/* Exits unless each is one, before anything is read. */
static void
check_schedules(const char *schedules)
{
	char *names = schedules != NULL ? xstrdup(schedules) : NULL, *rest = names, *name;

	while ((name = strsep(&rest, ",")) != NULL)
		if (strcmp(name, "free") != 0)
			option_choice("-S", name, schedule_names);
	free(names);
}

struct options
options_read(int argc, char *argv[])
{
	static const char *const less[] = { "0", "1", "both", NULL };
	struct options a = { .mixes = -1, .transfers = -1, .measured = -1,
		.effort = { .seconds = 90, .gap = 0.001, .seed = 1 } };
	size_t length;
	int ch;

	while ((ch = option_next(argc, argv, options_usage, options)) != -1)
		switch (ch) {
		case O_STAGES:
			a.stages = option_int("-s", optarg, 1, 10000);
			break;
		case O_MICRO:
			a.micro = option_int("-mb", optarg, 1, 1000000);
			break;
		case O_MEMORY:
			free(a.memory.at);
			a.memory = option_list("-mem", optarg, 1, 1e9);
			break;
		case O_INTERLEAVE:
			free(a.interleave.at);
			a.interleave = option_ranges("-i", optarg, 1, CHUNKS_MAX);
			break;
		case O_LESS:
			a.less = option_choice("-lm", optarg, less);
			break;
		case O_SCHEDULE:
			a.schedules = optarg;
			break;
		case O_COMM:
			free(a.devices.delay.at);
			a.devices.delay = option_list("-comm", optarg, 0, 1e9);
			break;
		case O_BLOCKING:
			a.transfers = TRANSFERS_BLOCKING;
			break;
		case O_BATCHED:
			a.transfers = TRANSFERS_BATCHED;
			break;
		case O_HIDDEN:
			a.transfers = TRANSFERS_HIDDEN;
			break;
		case O_SPEED:
			free(a.devices.speed.at);
			a.devices.speed = option_list("-speed", optarg, 1e-3, 1e3);
			break;
		case O_OFFLOAD:
			a.offload = option_real("-offload", optarg, 1e-3, 1e6);
			break;
		case O_OVERLAP:
			a.devices.overlap = option_real("-overlap", optarg, 1e-3, 1);
			break;
		case O_EMPTY:
			a.empty = true;
			break;
		case O_SPREAD:
			a.spread = option_real("-spread", optarg, 0, 1);
			break;
		case O_TIME:
			a.effort.seconds = option_real("-t", optarg, 0.01, 1e6);
			break;
		case O_GAP:
			a.effort.gap = option_real("-gap", optarg, 0, 10);
			break;
		case O_KEEP:
			a.keep = option_int("-k", optarg, 1, 1000);
			break;
		case O_MODEL:
			a.model = optarg;
			break;
		case O_MIXES:
			a.mixes = option_choice("-mixes", optarg, mixes_names);
			break;
		case O_SPLITS:
			a.splits = option_int("-seq", optarg, 1, 1000);
			break;
		case O_GROUP:
			a.group = option_int("-group", optarg, 1, 1000000);
			break;
		case O_ORDER:
			free(a.order);
			a.order_file = optarg;
			a.order = slurp(optarg, ORDER_MAX, &length);
			break;
		case O_KNOWN:
			a.known_file = optarg;
			break;
		case O_CUTOFF:
			a.cutoff = option_real("-cutoff", optarg, 1e-9, 1e18);
			break;
		case O_LP:
			a.lp_file = optarg;
			break;
		case O_MPS:
			a.mps_file = optarg;
			break;
		case O_SOLVER:
			a.solver = optarg;
			break;
		case O_SET:
			if (strcmp(optarg, "?") == 0) {
				tuning_list(stdout);
				stdout_close();
				exit(STATUS_ANSWERED);
			}
			if (!tuning_set(optarg))
				option_usage(options_usage, "-set: neither NAME=0 nor NAME=1 of -set ? '%s'", optarg);
			break;
		case O_TARGET:
			a.target = (enum target)option_choice("-target", optarg, target_names);
			break;
		case O_SEED:
			a.effort.seed = (uint64_t)option_int("-seed", optarg, 0, 1 << 30);
			break;
		}
	settle_mixes(&a);
	if (a.empty && !target_alone(a.target))
		option_usage(options_usage, "-empty: %s takes no piece without layers", target_titles[a.target]);
	if (a.order != NULL && a.schedules == NULL)
		a.schedules = "custom";
	check_schedules(a.schedules);
	if (a.solver != NULL)
		a.effort.solver = solver_open(a.solver);
	return a;
}

void
options_one_model(const struct options *a, int questions)
{
	if (questions > 1 && (a->lp_file != NULL || a->mps_file != NULL))
		option_usage(options_usage, "%s: a file holds the model of one question, and these are %d",
		    a->lp_file != NULL ? "-lp" : "-mps", questions);
}

void
options_open(struct options *a)
{
	if (a->lp_file != NULL)
		output_open(&a->lp, a->lp_file);
	if (a->mps_file != NULL)
		output_open(&a->mps, a->mps_file);
}

void
options_free(struct options *a)
{
	free(a->interleave.at);
	free(a->memory.at);
	free(a->devices.delay.at);
	free(a->devices.speed.at);
	free(a->order);
	solver_close(a->effort.solver);
	*a = (struct options){ 0 };
}
