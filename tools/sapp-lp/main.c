/* sapp-lp: the layers of each stage and their recomputation for the shortest step that fits into memory. */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "clock.h"
#include "lib/alloc.h"
#include "lib/option.h"
#include "lib/output.h"
#include "lib/record.h"
#include "lib/slurp.h"
#include "lib/status.h"

static const char usage[] =
"usage: sapp-lp [-hVvjH] [-s stages] [-mb micro-batches] [-mem MB[,MB...]] [-i chunks] [-lm 0|1|both]\n"
"               [-seq splits] [-S schedule[,schedule...]] [-group n] [-order file.csv] [-comm ms]\n"
"               [-t seconds] [-gap fraction] [-k plans] [-m model] [-mixes yaml|all] [-seed n]\n"
"               [-lp file] [-mps file] [-solver command] [file ...]\n";

enum { O_STAGES = 1, O_MICRO, O_MEMORY, O_INTERLEAVE, O_LESS, O_SCHEDULE, O_COMM, O_TIME, O_GAP, O_KEEP, O_MODEL,
	O_MIXES, O_SEED, O_SPLITS, O_GROUP, O_ORDER, O_LP, O_MPS, O_SOLVER };

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
	{ "lp", required_argument, NULL, O_LP },
	{ "mps", required_argument, NULL, O_MPS },
	{ "solver", required_argument, NULL, O_SOLVER },
	OPTION_COMMON,
	{ 0 }
};

enum { ORDER_MAX = 1 << 30 };	/* bytes */

struct asked {			/* on the command line */
	int stages, micro, splits, group, keep;
	struct grid interleave;	/* empty: not given */
	struct list memory;
	enum { LESS_NO, LESS_YES, LESS_BOTH } less;
	const char *schedules;	/* names divided by commas; NULL: by interleave and less */
	const char *order_file;
	char *order;		/* of the schedule custom; NULL: none given */
	const char *model, *solver;
	const char *lp, *mps;	/* files for the model */
	bool listed;
	double comm;
	struct effort effort;
};

/* One combination of what was asked, planned. */
struct result {
	struct pipeline question;
	struct plan plan;
	double order;		/* by which results are ranked */
	struct problem problem;
};

struct results {
	int n;
	struct result *at;
};

static struct asked
read_options(int argc, char *argv[])
{
	static const char *const less[] = { "0", "1", "both", NULL }, *const mixes[] = { "all", "yaml", NULL };
	struct asked a = { .stages = 4, .micro = 4, .memory = list_new(1), .listed = true,
		.effort = { .seconds = 90, .gap = 0.001, .seed = 1 } };
	size_t length;
	int ch;

	a.memory.at[0] = 56000;
	while ((ch = option_next(argc, argv, usage, options)) != -1)
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
			a.interleave = option_ranges("-i", optarg, 1, 100);
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
			a.listed = option_choice("-mixes", optarg, mixes);
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
		case O_LP:
			a.lp = optarg;
			break;
		case O_MPS:
			a.mps = optarg;
			break;
		case O_SOLVER:
			a.solver = optarg;
			break;
		case O_SEED:
			a.effort.seed = (uint64_t)option_int("-seed", optarg, 0, 1 << 30);
			break;
		}
	if (a.order != NULL && a.schedules == NULL)
		a.schedules = "custom";
	if (a.memory.n != 1 && a.memory.n != a.stages)
		option_usage(usage, "-mem: %d limits for %d stages", a.memory.n, a.stages);
	return a;
}

/* Exit unless there is such a schedule, and it runs. */
static void
check_question(const struct pipeline *q, const struct asked *a)
{
	struct shape shape = pipeline_shape(q);
	const char *problem = schedule_problem(&shape);
	char *cycle;

	if (problem != NULL && shape.order != NULL)
		errx(STATUS_ERROR, "%s: %s", a->order_file, problem);
	if (problem != NULL)
		errx(STATUS_USAGE, "%s with %d stages of %d chunks: %s", schedule_names[shape.kind], shape.stages, shape.chunks,
		    problem);
	cycle = shape.order != NULL ? problem_cycle(&shape) : NULL;
	if (cycle != NULL)
		errx(STATUS_ERROR, "%s: can never run: %s", a->order_file, cycle);
}

static void
add_question(struct results *r, const struct asked *a, enum schedule_kind kind, int interleave)
{
	struct pipeline *q;

	r->at = xreallocarray(r->at, (size_t)r->n + 1, sizeof *r->at);
	r->at[r->n] = (struct result){ .question = { .stages = a->stages, .micro_batches = a->micro,
	    .interleave = interleave, .schedule = (int)kind, .memory_limit = list_copy(a->memory) } };
	q = &r->at[r->n++].question;
	if (a->comm > 0)
		GIVE(pipeline, q, comm_time, a->comm);
	if (a->splits > 1)
		GIVE(pipeline, q, seq_split, a->splits);
	if (a->group > 0)
		GIVE(pipeline, q, group, a->group);
	if (kind == SCHEDULE_CUSTOM && a->order != NULL)
		GIVE(pipeline, q, order, xstrdup(a->order));
	check_question(q, a);
}

/* A schedule, with those numbers of chunks that it can have; the first one is told where it can have none. */
static void
add_schedule(struct results *r, const struct asked *a, enum schedule_kind kind)
{
	int own = schedule_chunks(kind), before = r->n;

	for (int i = 0; i < a->interleave.stages; i++)
		if (own == 0 || own == a->interleave.at[i])
			add_question(r, a, kind, a->interleave.at[i]);
	if (r->n == before)
		add_question(r, a, kind, a->interleave.stages > 0 ? a->interleave.at[0] : own > 0 ? own : 1);
}

static void
add_interleaved(struct results *r, const struct asked *a, int chunks)
{
	if (chunks == 1)
		add_question(r, a, SCHEDULE_1F1B, chunks);
	if (chunks > 1 && a->less != LESS_YES)
		add_question(r, a, SCHEDULE_VPP, chunks);
	if (chunks > 1 && a->less != LESS_NO)
		add_question(r, a, SCHEDULE_VPP_LESS, chunks);
}

static bool
any_custom(const struct results *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->at[i].question.schedule == SCHEDULE_CUSTOM)
			return true;
	return false;
}

/* Every combination of interleaving and schedule that was asked for. */
static struct results
list_questions(const struct asked *a)
{
	struct results r = { 0 };
	char *names = a->schedules != NULL ? xstrdup(a->schedules) : NULL, *rest = names, *name;

	while ((name = strsep(&rest, ",")) != NULL)
		add_schedule(&r, a, (enum schedule_kind)option_choice("-S", name, schedule_names));
	free(names);
	for (int i = 0; i < a->interleave.stages && a->schedules == NULL; i++)
		add_interleaved(&r, a, a->interleave.at[i]);
	if (r.n == 0)
		add_interleaved(&r, a, 1);
	if (a->order != NULL && !any_custom(&r))
		option_usage(usage, "-order: is for the schedule custom, which -S does not list");
	if (r.n > 1 && (a->lp != NULL || a->mps != NULL))
		option_usage(usage, "%s: a file holds the model of one question, and these are %d", a->lp != NULL ? "-lp" : "-mps",
		    r.n);
	return r;
}

/* What can be said when nothing fits: the stage in the way, and the least that would do. */
static void
explain_infeasible(const struct result *r, const struct excess *e, struct list memory)
{
	const char *what = schedule_names[r->question.schedule];
	bool proved = e->mb <= e->at_least + MEMORY_SLACK;

	if (memory.n == 1)
		warnx("no plan of %s with %d chunk%s a stage fits into %.8g MB: the smallest limit %s is %.8g MB, for stage %d",
		    what, r->question.interleave, r->question.interleave > 1 ? "s" : "", memory.at[0],
		    proved ? "that works" : "known to work", memory.at[0] + e->mb, r->plan.binding_stage);
	else
		warnx("no plan of %s with %d chunk%s a stage fits: raised by %.8g MB each, the limits %s, stage %d being the last",
		    what, r->question.interleave, r->question.interleave > 1 ? "s" : "", e->mb,
		    proved ? "would just do" : "would do", r->plan.binding_stage);
}

static void
write_model(struct linear *l, const char *path, void (*write)(struct linear *, FILE *))
{
	struct output out;

	if (path == NULL)
		return;
	output_open(&out, path);
	write(l, out.file);
	output_commit(&out);
}

/* The model in integers, with the path rows that the answer is based on. */
static void
write_models(const struct asked *a, const struct problem *p, const struct paths *paths)
{
	struct linear l;

	if (a->lp == NULL && a->mps == NULL)
		return;
	integer_open(&l, p);
	for (int i = 0; i < paths->n; i++)
		linear_add(&l, &paths->at[i]);
	write_model(&l, a->lp, integer_write_lp);
	write_model(&l, a->mps, integer_write_mps);
	linear_close(&l);
}

static void
answer_question(struct result *r, const struct asked *a, const struct network *net, double seconds)
{
	struct shape shape = pipeline_shape(&r->question);
	struct problem *p = &r->problem;
	struct answer answer;
	struct effort effort = a->effort;
	double begun = clock_now();
	char *name, *wrong;

	if (net->layers < a->stages * r->question.interleave)
		errx(STATUS_USAGE, "%d layers are too few for %d stages of %d chunks: every piece needs one", net->layers,
		    a->stages, r->question.interleave);
	effort.progress = option_verbose || isatty(STDERR_FILENO);
	*p = problem_new(net, &shape, a->comm, a->memory, a->listed);
	effort.seconds = fmax(begun + seconds - clock_now(), 0);
	answer = planner_solve(p, &effort);
	if (answer.status == PLAN_INFEASIBLE && answer.excess.mb == INFINITY)
		errx(STATUS_NO_ANSWER, "no plan of %s with %d chunk%s a stage can be said in lists, whatever the limit: "
		    "try -mixes all", schedule_names[shape.kind], shape.chunks, shape.chunks > 1 ? "s" : "");
	name = r->question.interleave == 1 ? xstrdup(schedule_names[shape.kind]) :
	    xasprintf("%s-i%d", schedule_names[shape.kind], r->question.interleave);
	r->plan = answer_plan(p, &answer, name);
	wrong = answer_problem(p, &r->plan, a->memory);
	if (wrong != NULL)
		errx(STATUS_ERROR, "the plan found for %s is not printed, because checking it failed: %s", name, wrong);
	r->order = answer.status == PLAN_INFEASIBLE ? INFINITY : answer.step_time;
	if (answer.status == PLAN_INFEASIBLE)
		explain_infeasible(r, &answer.excess, a->memory);
	write_models(a, p, &answer.paths);
	free(name);
	answer_free(&answer);
}

static void
write_answers(const struct records *all, const struct results *results, int keep)
{
	for (size_t i = 0; i < all->n && !option_report(); i++)
		record_write(stdout, &all->at[i]);
	for (int i = 0; i < results->n && i < keep; i++) {
		const struct result *r = &results->at[i];

		if (option_report()) {
			if (i > 0)
				putchar('\n');
			answer_report(stdout, &r->problem, &r->plan, r->question.memory_limit);
			continue;
		}
		record_put(stdout, RECORD_PIPELINE, &r->question);
		record_put(stdout, RECORD_PLAN, &r->plan);
	}
	if (option_report() && results->n > 1) {
		puts("\nranking");
		for (int i = 0; i < results->n; i++)
			printf("%3d  %-24s %14.4f  at least %14.4f  %s\n", i + 1, results->at[i].plan.name,
			    results->at[i].plan.step_time, results->at[i].plan.lower_bound,
			    plan_status_names[results->at[i].plan.status]);
	}
}

static int
by_order(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->question.interleave - y->question.interleave;
}

int
main(int argc, char *argv[])
{
	struct asked asked = read_options(argc, argv);
	struct results results = list_questions(&asked);
	struct records all;
	struct network net;
	double begun, left;
	int status = STATUS_NO_ANSWER;

	if (asked.solver != NULL)
		asked.effort.solver = solver_open(asked.solver);
	records_read(&all, argv + optind, RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL));
	net = network_from_records(&all, asked.model);
	network_split(&net, asked.splits, net.place);
	clock_catch_signals();
	begun = clock_now();
	for (int i = 0; i < results.n; i++) {
		left = begun + asked.effort.seconds - clock_now();
		answer_question(&results.at[i], &asked, &net, fmax(left / (results.n - i), 0.01));
		if (results.at[i].order < INFINITY)
			status = STATUS_ANSWERED;
	}
	qsort(results.at, (size_t)results.n, sizeof *results.at, by_order);
	write_answers(&all, &results, asked.keep > 0 ? asked.keep : results.n);
	for (int i = 0; i < results.n; i++) {
		fields_free(&pipeline_fields, &results.at[i].question);
		fields_free(&plan_fields, &results.at[i].plan);
		problem_free(&results.at[i].problem);
	}
	free(results.at);
	free(asked.interleave.at);
	free(asked.memory.at);
	free(asked.order);
	solver_close(asked.effort.solver);
	network_free(&net);
	records_free(&all);
	stdout_close();
	return status;
}
