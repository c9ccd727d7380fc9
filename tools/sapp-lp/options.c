/* Options: the command line parsed. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/schedule/schedule.h"

const char options_usage[] =
"usage: sapp-lp [-hVvjH] [-s stages] [-mb micro-batches] [-mem MB[,MB...]] [-i chunks] [-lm 0|1|both]\n"
"               [-seq splits] [-S schedule[,schedule...]] [-group n] [-order file.csv] [-comm ms]\n"
"               [-t seconds] [-gap fraction] [-k plans] [-m model] [-mixes yaml|all|uniform] [-seed n]\n"
"               [-target any|mindformers|megatron|mindspeed|pytorch]\n"
"               [-known answers.jsonl] [-lp file] [-mps file] [-solver command] [-cutoff ms]\n"
"               [file ...]\n";

enum { O_STAGES = 1, O_MICRO, O_MEMORY, O_INTERLEAVE, O_LESS, O_SCHEDULE, O_COMM, O_TIME, O_GAP, O_KEEP, O_MODEL,
	O_MIXES, O_SEED, O_SPLITS, O_GROUP, O_ORDER, O_LP, O_MPS, O_SOLVER, O_TARGET, O_CUTOFF, O_KNOWN };

static const struct option options[] = {
	{ "s", required_argument, NULL, O_STAGES },
	{ "mb", required_argument, NULL, O_MICRO },
	{ "mem", required_argument, NULL, O_MEMORY },
	{ "i", required_argument, NULL, O_INTERLEAVE },
	{ "lm", required_argument, NULL, O_LESS },
	{ "S", required_argument, NULL, O_SCHEDULE },
	{ "comm", required_argument, NULL, O_COMM },
	{ "t", required_argument, NULL, O_TIME },
	{ "gap", required_argument, NULL, O_GAP },
	{ "k", required_argument, NULL, O_KEEP },
	{ "m", required_argument, NULL, O_MODEL },
	{ "mixes", required_argument, NULL, O_MIXES },
	{ "seed", required_argument, NULL, O_SEED },
	{ "seq", required_argument, NULL, O_SPLITS },
	{ "group", required_argument, NULL, O_GROUP },
	{ "order", required_argument, NULL, O_ORDER },
	{ "known", required_argument, NULL, O_KNOWN },
	{ "cutoff", required_argument, NULL, O_CUTOFF },
	{ "lp", required_argument, NULL, O_LP },
	{ "mps", required_argument, NULL, O_MPS },
	{ "solver", required_argument, NULL, O_SOLVER },
	{ "target", required_argument, NULL, O_TARGET },
	OPTION_COMMON,
	{ 0 }
};

enum { ORDER_MAX = 1 << 30 };	/* bytes */

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
	if (a->uniform && (a->solver != NULL || a->lp_file != NULL || a->mps_file != NULL))
		option_usage(options_usage, "-solver, -lp and -mps have no model of uniform mixes");
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
	struct options a = { .comm = -1, .mixes = -1,
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
			a.comm = option_real("-comm", optarg, 0, 1e9);
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
		case O_TARGET:
			a.target = (enum target)option_choice("-target", optarg, target_names);
			break;
		case O_SEED:
			a.effort.seed = (uint64_t)option_int("-seed", optarg, 0, 1 << 30);
			break;
		}
	settle_mixes(&a);
	if (a.order != NULL && a.schedules == NULL)
		a.schedules = "custom";
	check_schedules(a.schedules);
	if (a.solver != NULL)
		a.effort.solver = solver_open(a.solver);
	return a;
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
	free(a->order);
	solver_close(a->effort.solver);
	*a = (struct options){ 0 };
}
