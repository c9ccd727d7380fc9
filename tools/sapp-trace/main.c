/* sapp-trace: get the times of layers from timelines of profilers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/cost.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "lib/record/record.h"
#include "lib/script/started.h"
#include "lib/setup/setup.h"
#include "lib/setup/training.h"
#include "lib/yaml/initfile.h"
#include "sapp-trace/layers/check.h"
#include "sapp-trace/read/files.h"
#include "sapp-trace/run/bench_table.h"
#include "sapp-trace/run/device.h"
#include "sapp-trace/run/rank_lines.h"
#include "timeline.h"

static const char usage[] =
    "usage: sapp-trace [-v] [-c INIT.yaml] [-s N] [-mb N] [-head NAME]... [-body NAME]... [-tail NAME]...\n"
    "                  [-anchor KERNEL] [-busy] [-steps A-B|all] [-replay] [-kernels] [-nodes N] [-runs FILE]\n"
    "                  [DIR|FILE...]\n"
"example: sapp-trace -c init.yaml timeline/ >times.jsonl\n";

static const char *const defaults[][3] = {
	[LAYER_HEAD] = { "LlamaEmbedding" },
	[LAYER_BODY] = { "LLamaDecodeLayer" },
	[LAYER_TAIL] = { "lm_head-Linear", "LlamaRMSNorm" },
};

static const char *const type_options[] = { [LAYER_HEAD] = "-head", [LAYER_BODY] = "-body",
	[LAYER_TAIL] = "-tail" };

static void
take_steps(void *range, const char *option, char *text)
{
	struct step_range *r = range;
	struct grid g;

	*r = (struct step_range){ .given = true, .all = strcmp(text, "all") == 0 };
	if (r->all)
		return;
	g = option_ranges(option, text, 0, MAX_STEPS);
	if (strchr(text, ',') != NULL)
		option_usage("-steps: not a range '%s'", text);
	r->from = g.at[0];
	r->to = g.at[g.stages - 1];
	free(g.at);
}

/* Set the names of each type of layer: from the command line, otherwise from the init file, otherwise the defaults. */
static void
fill_classes(struct classes *classes, const struct initfile *init)
{
	bool given[LAYER_TAIL + 1] = { false };

	for (int i = 0; i < classes->n; i++)
		given[classes->at[i].type] = true;
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++) {
		if (given[type])
			continue;
		for (int i = 0; i < init->names[type].n; i++)
			class_add(classes, init->names[type].at[i], (enum layer_type)type, init->place);
		for (int i = 0; i < 3 && init->names[type].n == 0 && defaults[type][i] != NULL; i++)
			class_add(classes, defaults[type][i], (enum layer_type)type, (struct place){ 0 });
	}
}

/* Return the folder to read: folder_path is relative to the current directory, or to the directory of the init file. */
static char *
init_folder(const char *init, const char *folder)
{
	const char *slash = strrchr(init, '/');

	if (folder[0] == '/' || access(folder, F_OK) == 0 || slash == NULL)
		return xstrdup(folder);
	return xasprintf("%.*s/%s", (int)(slash - init), init, folder);
}

static void
list_files(struct files *files, char *operands[], const char *init_path, const struct initfile *init)
{
	if (*operands == NULL && init->folder != NULL) {
		char *folder = init_folder(init_path, init->folder);

		files_add(files, folder);
		free(folder);
	} else if (*operands == NULL)
		files_add(files, "-");
	for (; *operands != NULL; operands++)
		files_add(files, *operands);
}

static bool
read_one(const struct file *f, const struct trace_question *q, struct answers *a, char **why)
{
	struct timeline t = { .question = q };
	bool any;

	if (q->kernels && bench_table_read(f->path, q->nodes, stdout)) {
		a->tables++;
		return true;
	}
	if (file_is_table(f->path))
		return device_read(f->path, q, a, why);
	scan_open(&t.scan, f->path);
	if (log_begins(&t.scan)) {
		any = logs_read(&a->logs, &t.scan, &a->operations, why);
		timeline_free(&t);
		return any;
	}
	any = timeline_read(&t, a, f->table == NULL, why);
	timeline_free(&t);
	if (any || f->table == NULL)
		return any;
	free(*why);
	*why = NULL;
	return device_read(f->table, q, a, why);
}

struct failure {		/* a file without layers */
	const char *source;
	char *why;
};

/*
 * Warn about a single timeline without layers among others. If no timeline has layers, or if others were divided by
 * repetition so that a stage would be missing, exit with one message for all.
 */
static void
judge(const struct failure *f, int n, int files, const struct answers *a)
{
	struct place at = { .source = n > 0 ? f[0].source : NULL };
	int alike = 0;

	for (int i = 1; i < n; i++)
		alike += strcmp(f[i].why, f[0].why) == 0;
	if (n > 0 && (n == files || a->files > 0)) {
		if (n == 1 && files == 1)
			place_die(at, "%s", f[0].why);
		place_die(at, "%s: no layer in %d of %d timelines, for this reason in %d", f[0].why, n, files,
		    alike + 1);
	}
	for (int i = 0; i < n; i++)
		place_warn((struct place){ .source = f[i].source }, "%s", f[i].why);
}

static void
read_all(const struct files *files, const struct trace_question *q, struct answers *a)
{
	struct failure *f = NULL;
	int n = 0;
	const char *source;
	char *why = NULL;

	for (int i = 0; i < files->n; i++)
		if (!read_one(&files->at[i], q, a, &why))
			*APPEND(f, n) = (struct failure){ slurp_name(files->at[i].path), why };
	while (device_next(q, a, &source, &why) || source != NULL)
		if (why != NULL) {
			*APPEND(f, n) = (struct failure){ source, why };
			why = NULL;
		}
	judge(f, n, files->n, a);
	for (int i = 0; i < n; i++)
		free(f[i].why);
	free(f);
}

/* Write the job record, which has the properties of the job except times, for later questions. */
static void
write_job(const struct initfile *init, const struct trace_question *q, const struct answers *a, int micro)
{
	struct measured_job j = { .given = 0 };
	int stages = q->stages > 0 ? q->stages : init->stages > 0 ? init->stages : a->stages;
	double transfer = outside_transfer(&a->outside);

	if (stages > 0)
		GIVE(measured_job, &j, stages, stages);
	if (micro > 0)
		GIVE(measured_job, &j, micro_batches, micro);
	/* A measured transfer ran while the stage was idle. */
	if (transfer >= 0) {
		GIVE(measured_job, &j, comm_time, ((struct list){ 1, &transfer }));
		GIVE(measured_job, &j, transfers, TRANSFERS_BATCHED);
	}
	if (j.given != 0)
		record_put(stdout, RECORD_JOB, &j);
}

enum settings_kind { OF_PROFILE, OF_TRAINING, OF_LAUNCH };

/* Return the kind of a settings file: settings of a profile or of a training run, in YAML or as a script. */
static enum settings_kind
kind_of(const char *path)
{
	size_t length;
	char *text;
	enum settings_kind kind = OF_PROFILE;

	if (strcmp(path, "-") == 0)
		return kind;
	text = yaml_slurp(path, &length);
	if (strncmp(text, "parallel_config:", 16) == 0 || strstr(text, "\nparallel_config:") != NULL)
		kind = OF_TRAINING;
	else if (started_is(path, text, length))
		kind = OF_LAUNCH;
	free(text);
	return kind;
}

/* Read stages, micro-batches and numbers of layers from a launch script. */
static void
of_launch(struct initfile *init, struct trace_question *q, const char *path)
{
	struct setup s;

	setup_read(&s, path, 0, NULL, NULL, NULL);
	init->stages = s.pipeline.stages;
	init->micro_batches = s.pipeline.micro_batches;
	if (s.extra == 0)
		*APPEND(q->layers, q->settings) = settings_layers(&s.settings, s.layers, s.place);
	setup_free(&s);
}

/* Read stages and micro-batches from a training YAML. Return the number of ranks, 0: unset. */
static int
of_training(struct initfile *init, struct trace_question *q, const char *path)
{
	static const char *const names[] = { "data_parallel", "model_parallel", "context_parallel" };
	struct training t;
	const struct yaml *map;
	int ranks;

	training_read(&t, path);
	init->stages = t.stages;
	init->micro_batches = t.micro_batches;
	ranks = t.stages;
	map = training_map(&t, TRAINING_MICRO);
	for (int i = 0; i < 3; i++) {
		const struct yaml *n = map != NULL ? yaml_get(map, names[i]) : NULL;

		if (n == NULL && i == 0)
			ranks = 0;
		else if (n != NULL)
			ranks *= yaml_int(n, names[i], 1, 10000);
	}
	/* Multi-token prediction layers count as layers, but offsets may omit them. */
	if (t.layers > 0 && t.extra_layers == 0) {
		struct settings s = training_settings(&t, t.layers);

		*APPEND(q->layers, q->settings) = settings_layers(&s, t.layers, t.place);
		settings_free(&s);
	}
	training_free(&t);
	return ranks;
}

/* Return the name of a run, which is the name of its directory; caller frees. */
static char *
run_of(const char *operand, const char *folder)
{
	const char *path = operand != NULL ? operand : folder != NULL ? folder : "run", *end = path + strlen(path);
	const char *from;

	while (end > path + 1 && end[-1] == '/')
		end--;
	for (from = end; from > path && from[-1] != '/'; from--)
		;
	return xstrndup(from, (size_t)(end - from));
}

int
main(int argc, char *argv[])
{
	struct texts named[LAYER_TAIL + 1] = { 0 };
	struct initfile init = { 0 };
	struct classes classes = { 0 };
	struct trace_question question = { .classes = &classes };
	struct answers answers = { 0 };
	struct files files = { 0 };
	const char *init_path = NULL;
	bool busy = false;
	const char *runs = NULL;
	char *run_name;
	int micro, ranks = 0;
	enum settings_kind kind;
	const struct option_row options[] = {
		{ "c", "INIT.yaml", "settings of the run: names of layers, micro-batches, folder of timelines",
		    .text = &init_path },
		{ "mb", "N", "micro-batches per step, to write layer records", .whole = &question.micro,
			.min = 1, .max = 1000000 },
		{ "head", "NAME", "class of layers before the body; may be repeated", .texts = &named[LAYER_HEAD] },
		{ "body", "NAME", "class of body layers; may be repeated", .texts = &named[LAYER_BODY] },
		{ "tail", "NAME", "class of layers after the body; may be repeated", .texts = &named[LAYER_TAIL] },
		{ "steps", "A-B or all", "steps to use of each timeline, counted from 0", .take = take_steps,
			.into = &question.steps },
		{ "s", "N", "number of stages, if a log lacks it", .whole = &question.stages, .min = 1, .max = 10000 },
		{ "replay", NULL, "write every step of a timeline of operations, for sapp-sim",
			.flag = &question.replay },
		{ "anchor", "KERNEL", "kernel that runs once in each layer's forward, if layers have no names",
			.text = &question.anchor },
		{ "kernels", NULL, "also write kernels, collectives, tensors and memory of layers",
			.flag = &question.kernels },
		{ "runs", "FILE", "with -kernels: run records, with settings that the profile lacks",
			.text = &runs },
		{ "nodes", "N", "with -kernels: number of nodes of the run", .whole = &question.nodes,
			.min = 1, .max = 1000000 },
		{ "busy", NULL, "count only the time of kernels, not waiting for the host", .flag = &busy },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++)
		for (int i = 0; i < named[type].n; i++)
			class_add(&classes, named[type].at[i], (enum layer_type)type,
			    (struct place){ .source = type_options[type] });
	if (question.anchor != NULL && *question.anchor == '\0')
		option_usage("-anchor: the name of a kernel is expected");

	if (!question.kernels && (runs != NULL || question.nodes > 0))
		option_usage("-%s: needs -kernels", runs != NULL ? "runs" : "nodes");
	kind = init_path != NULL ? kind_of(init_path) : OF_PROFILE;
	if (kind == OF_TRAINING) {
		ranks = of_training(&init, &question, init_path);
	} else if (kind == OF_LAUNCH) {
		of_launch(&init, &question, init_path);
	} else if (init_path != NULL) {
		initfile_read(&init, init_path);
		if (!init.has_profiling)
			place_die((struct place){ .source = init_path }, "no profiling_config, which describes the "
			    "profile: add 'profiling_config: {micro_batch_num: N}', or give the training YAML of the "
			    "profiled run with -c");
		for (int i = 0; i < init.rounds; i++)
			*APPEND(question.layers, question.settings) = init.round[i].layers;
	}
	question.said = init_path;
	question.named = classes.n > 0 || init.names[LAYER_BODY].n > 0;
	if (question.micro == 0)
		question.micro = init.micro_batches;
	fill_classes(&classes, &init);
	list_files(&files, operands, init_path, &init);
	answers_init(&answers, &classes);
	answers.timings.busy = busy;
	answers.observed.nodes = question.nodes;
	answers.observed.runs = runs;
	answers.observed.run = run_name = run_of(operands[0], init.folder);
	read_all(&files, &question, &answers);
	outside_check(&answers.outside);
	timings_settle(&answers.timings);
	logs_write(stdout, &answers.logs, question.steps, question.stages > 0 ? question.stages : init.stages,
	    question.micro, ranks);
	if (answers.operations.any)
		rank_lines_end(&answers.operations, question.stages > 0 ? question.stages : init.stages);
	if (answers.operations.any)
		operations_write(stdout, &answers.operations, question.steps, question.replay);
	if (answers.timings.layers.n > 0 || (!answers.operations.any && answers.logs.n == 0 && answers.tables == 0))
		timings_check(&answers.timings, &answers.found);
	if (question.kernels) {
		answers.observed.step_time = outside_step(&answers.outside);
		observations_write_run(stdout, &answers.observed);
	}
	timings_write(stdout, &answers.timings);
	outside_write(stdout, &answers.outside);
	memory_write(stdout, &answers.memory);
	if (question.kernels) {
		observations_write(stdout, &answers.observed, &classes);
		memory_write_usage(stdout, &answers.memory, run_name);
	}
	for (int i = 0; i < classes.n; i++)
		answers.timings.of[i].activation = memory_activation(&answers.memory, i);
	micro = question.micro > 0 ? question.micro : answers.micro;
	if (answers.timings.layers.n > 0)
		write_job(&init, &question, &answers, micro);
	if (question.micro > 0)
		timings_check_micro(&answers.timings, micro);
	if (micro > 0)
		timings_write_layers(stdout, &answers.timings, micro, init.bodies, init.body_layers);
	if (option_verbose)
		cost_say();
	answers_free(&answers);
	free(run_name);
	files_free(&files);
	classes_free(&classes);
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++)
		texts_free(&named[type]);
	for (int i = 0; i < question.settings && init.rounds == 0; i++)
		free(question.layers[i].at);
	free(question.layers);
	initfile_free(&init);
	stdout_close();
	return STATUS_ANSWERED;
}
