#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "lib/schedule/schedule.h"
#include "lib/target/holding.h"
#include "lib/target/modules.h"
#include "sapp-lp/model/tuning.h"

static const char usage[] =
"usage: sapp-lp [-hVvjH] [-s stages] [-mb micro-batches] [-mem MB[,MB...]] [-i chunks] [-lm 0|1|both]\n"
"               [-n] [-seq splits] [-S schedule[,schedule...]] [-group n] [-order file.csv] [-comm ms[,ms...]]\n"
"               [-transfers way] [-speed factor[,factor...]] [-spread share] [-offload GB/s]\n"
"               [-overlap fraction] [-t seconds] [-gap fraction] [-k plans] [-m model]\n"
"               [-mixes yaml|all|uniform] [-empty] [-target framework]\n"
"               [-seed n] [-known answers.jsonl] [-lp file] [-mps file] [-solver command] [-cutoff ms]\n"
"               [-proof file] [-set name=value] [file ...]\n"
"example: sapp-lp -s 16 -mb 16 -mem 56000 layers.jsonl >plan.jsonl\n";

enum { ORDER_MAX = 1 << 26 };	/* maximum length of an order, bytes */

/* Choose the mixes that the target can express, unless the user requested others. */
static void
settle_mixes(struct options *a)
{
	enum target_rule rule = frameworks[a->target].rule;

	bool uniform = rule == RULE_FIRST || rule == RULE_ALL;

	if (uniform && (a->mixes == MIXES_ALL || a->mixes == MIXES_YAML))
		option_usage("-mixes: %s only runs uniform mixes", target_titles[a->target]);
	if (a->target != TARGET_ANY && !frameworks[a->target].anywhere && a->mixes == MIXES_ALL)
		option_usage("-mixes: %s only runs mixes that lists can express",
		    target_titles[a->target]);
	if (a->mixes < 0)
		a->mixes = uniform ? MIXES_UNIFORM : frameworks[a->target].anywhere ? MIXES_ALL : MIXES_YAML;
	a->listed = a->mixes != MIXES_ALL;
	a->uniform = a->mixes == MIXES_UNIFORM;
}

void
options_keep_kinds(const struct options *a, struct network *net, const struct records *all)
{
	struct modules modules;

	if (a->uniform || frameworks[a->target].rule == RULE_WHOLE) {
		modules = modules_of(all);
		network_keep_modules(net, target_titles[a->target],
		    target_kinds(a->target, schedule_usual(1, false), modules_kinds_of(&modules, a->target, net)));
	} else if (a->listed) {
		network_keep_said(net);
	}
}

/* Exit before any input is read, unless all names are schedules. */
static void
check_schedules(const char *schedules)
{
	char *names = schedules != NULL ? xstrdup(schedules) : NULL, *rest = names, *name;

	while ((name = strsep(&rest, ",")) != NULL)
		if (strcmp(name, "free") != 0)
			option_choice("-S", name, schedule_names);
	free(names);
}

static void
take_switch(void *into, const char *option, char *text)
{
	(void)into;
	if (strcmp(text, "?") == 0) {
		tuning_list(stdout);
		stdout_close();
		exit(STATUS_ANSWERED);
	}
	if (!tuning_set(text))
		option_usage("%s: expected a NAME=VALUE that -set ? lists '%s'", option, text);
	if (!tuning.wall)
		clock_count_processor();
	clock_count_looks(tuning.look);
}

struct options
options_read(int argc, char *argv[])
{
	static const char *const less[] = { "0", "1", "both", NULL };
	struct options a = { .mixes = -1, .transfers = -1, .measured = -1,
		.effort = { .seconds = 90, .gap = 0.001, .seed = 1 } };
	int seed = 1;
	size_t length;
	const struct option_row options[] = {
		{ "s", "STAGES", "number of pipeline stages (job record, else 4)", .whole = &a.stages,
			.min = 1, .max = 10000 },
		{ "mb", "N", "micro-batches per step (job record, else 4)", .whole = &a.micro,
			.min = 1, .max = 1000000 },
		{ "mem", "MB[,MB...]", "memory limit of a device, or of each stage (job record, else 56000)",
		    .list = &a.memory,
			.megabytes = true, .min = 1, .max = 1e9 },
		{ "i", "N", "model chunks per stage; several questions: 1-4 or 1,2 (1)", .ranges = &a.interleave,
			.min = 1, .max = CHUNKS_MAX },
		{ "lm", "0 or 1 or both", "less-memory order of interleaving (0)", .choice = &a.less, .names = less },
		{ "S", "SCHEDULE[,...]", "schedules by name, ranked; -S ? lists them (1f1b, vpp)",
			.text = &a.schedules },
		{ "comm", "MS[,MS...]", "transfer time, or one for each boundary of stages (job record, else 0)",
			.list = &a.devices.delay, .min = 0, .max = 1e9 },
		{ "offload", "GB/S", "speed of a device's link to the host, needed by kinds that offload",
			.real = &a.offload, .min = 1e-3, .max = 1e6 },
		{ "transfers", "WAY", "how transfers take place: hidden, blocking, batched, overlap, ..., sapp(7)",
			.choice = &a.transfers, .names = transfers_names },
		{ "speed", "FACTOR[,FACTOR...]", "speed / speed of the measured devices, one number or one per stage "
		    "(1)",
			.list = &a.devices.speed, .min = 1e-3, .max = 1e3 },
		{ "spread", "SHARE", "relative deviation of micro-batch times; plan for the p90 (0)",
			.real = &a.spread, .min = 0, .max = 1 },
		{ "overlap", "FRACTION", "an overlapped forward and backward / their sum (1: no overlap)",
			.real = &a.devices.overlap, .min = 1e-3, .max = 1 },
		{ "t", "SECONDS", "time limit (90)", .real = &a.effort.seconds, .min = 0.01, .max = 1e6 },
		{ "gap", "SHARE", "stop when (step - bound) / bound is at most this (0.001)",
			.real = &a.effort.gap, .min = 0, .max = 10 },
		{ "n", NULL, "write the questions that these options ask, and plan nothing", .flag = &a.dry },
		{ "k", "N", "keep the best N plans (all)", .whole = &a.keep, .min = 1, .max = 1000 },
		{ "m", "MODEL", "name of the model to plan, if the input has several", .text = &a.model },
		{ "mixes", "yaml or all or uniform", "mixes of recomputation allowed in a piece (by -target)",
			.choice = &a.mixes, .names = mixes_names },
		{ "seed", "N", "seed of the search (1)", .whole = &seed, .min = 0, .max = 1 << 30 },
		{ "seq", "N", "parts of each sequence (1)", .whole = &a.splits, .min = 1, .max = 1000 },
		{ "group", "N", "group size of interleaving, in micro-batches (stages)", .whole = &a.group,
			.min = 1, .max = 1000000 },
		{ "order", "FILE.csv", "order of operations, for the schedule custom", .text = &a.order_file },
		{ "known", "ANSWERS", "start from these answers to similar questions",
			.text = &a.known_file },
		{ "cutoff", "MS", "give up a question if no step below this time is possible (none)",
			.real = &a.cutoff, .min = 1e-9, .max = 1e18 },
		{ "lp", "FILE", "write the model in CPLEX LP format, for other solvers", .text = &a.lp_file },
		{ "mps", "FILE", "write the model in MPS format, for other solvers", .text = &a.mps_file },
		{ "proof", "FILE", "write a certificate of the bound, for sapp-check", .text = &a.proof_file },
		{ "solver", "COMMAND", "also solve with this solver: cbc, glpsol, highs, scip", .text = &a.solver },
		{ "set", "NAME=VALUE", "switch off a method of the planner, or change a limit; -set ? lists them",
			.take = take_switch },
		{ "empty", NULL, "allow pieces without layers, if the target runs them", .flag = &a.empty },
		{ "target", "FRAMEWORK", "plan only what this framework runs; -target ? lists them (any)",
			.choice = &a.target, .names = target_names },
		{ 0 }
	};

	a.operands = options_take(argc, argv, usage, options);
	a.effort.seed = (uint64_t)seed;
	if (a.order_file != NULL)
		a.order = slurp(a.order_file, ORDER_MAX, &length);
	settle_mixes(&a);
	if (a.empty && !target_holding(a.target, schedule_usual(1, false)).empty)
		option_usage("-empty: %s does not run pieces without layers", target_titles[a.target]);
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
		option_usage("%s: only for one question, as a file holds one model; these are %d questions",
		    a->lp_file != NULL ? "-lp" : "-mps", questions);
	if (questions > 1 && a->proof_file != NULL)
		option_usage("-proof: only for one question; these are %d questions", questions);
}

void
options_open(struct options *a)
{
	if (a->lp_file != NULL)
		output_open(&a->lp, a->lp_file);
	if (a->mps_file != NULL)
		output_open(&a->mps, a->mps_file);
	if (a->proof_file != NULL)
		output_open(&a->proof, a->proof_file);
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
