/* sapp-yaml: convert plans to training settings and back. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/diff.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/model/offload.h"
#include "lib/record/record.h"
#include "lib/script/meaning.h"
#include "lib/script/started.h"
#include "lib/setup/launch_yaml.h"
#include "lib/setup/scheduler.h"
#include "lib/setup/setup.h"
#include "sapp-yaml/launch/edit_keys.h"
#include "sapp-yaml/launch/edit_script.h"
#include "sapp-yaml/mindformers/update.h"
#include "sapp-yaml/plan/print.h"
#include "current.h"
#include "each_format.h"
#include "init.h"

static const char usage[] =
    "usage: sapp-yaml [-f FORMAT] [-j] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -w TRAIN.yaml|TRAIN.sh [-n] [-mb] [-layers N|CONFIG.json] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -r TRAIN.yaml|TRAIN.sh [-layers N|CONFIG.json] [-name NAME] [FILE...]\n"
    "       sapp-yaml -init TRAIN.yaml|TRAIN.sh [-layers N|CONFIG.json] [-j]\n"
    "       each with [-set NAME=VALUE]... [-launch NUMBER] [-lenient] for scripts\n"
"example: sapp-yaml -w train.yaml -n plan.jsonl\n";

enum { MINDFORMERS, MEGATRON, NEMO, MINDSPEED, TORCHTITAN, PRIMUS, FLAGSCALE, HYPERPARALLEL, PPB, FORMATS };
static const char *const formats[] = { "mindformers", "megatron", "nemo", "mindspeed", "torchtitan", "primus",
	"flagscale", "hyperparallel", "sapp-ppb", NULL };
/* Target of each format, and how its plans are printed: as arguments, or by a printer of its own. */
static const struct format {
	enum target target;
	enum launch_dialect dialect;
	void (*print)(const struct plan *, const struct yaml_question *);
} format_rows[FORMATS] = {
	[MINDFORMERS] = { TARGET_MINDFORMERS, LAUNCH_DIALECTS, print_mindformers },
	[MEGATRON] = { TARGET_MEGATRON, LAUNCH_ARGUMENTS, NULL },
	[NEMO] = { TARGET_MEGATRON, LAUNCH_NEMO, NULL },
	[MINDSPEED] = { TARGET_MINDSPEED, LAUNCH_ARGUMENTS, NULL },
	[TORCHTITAN] = { TARGET_PYTORCH, LAUNCH_DIALECTS, print_torchtitan },
	[PRIMUS] = { TARGET_PRIMUS, LAUNCH_YAML, NULL },
	[FLAGSCALE] = { TARGET_FLAGSCALE, LAUNCH_YAML, NULL },
	[HYPERPARALLEL] = { TARGET_HYPERPARALLEL, LAUNCH_DIALECTS, print_hyperparallel },
	[PPB] = { TARGET_ANY, LAUNCH_DIALECTS, print_ppb },
};

/* The file into which a plan is written. */
struct destination {
	const char *path;	/* NULL: the plan is printed */
	char *text;		/* text of the file */
	size_t length;
	int layers;		/* number of layers of the network; 0: as in the file */
	bool micro, dry;
};

static char *
read_for_edit(const char *path, size_t *length)
{
	if (strcmp(path, "-") == 0)
		errx(STATUS_USAGE, "-w: needs a file, which is edited in place, not '-'");
	return yaml_slurp(path, length);
}

/* Write the new text into the file, or print the changes. Frees both texts. */
static void
put_text(const struct destination *w, char *new, size_t length)
{
	struct output out;

	if (w->dry) {
		diff_print(stdout, w->path, w->text, w->length, new, length);
	} else if (length != w->length || memcmp(new, w->text, length) != 0) {
		output_open(&out, w->path);
		output_expect(&out, w->text, w->length);
		fwrite(new, 1, length, out.file);
		output_commit(&out);
	}
	free(w->text);
	free(new);
}

static enum target
yaml_target(const char *path, const char *text, size_t length)
{
	struct yaml *root = yaml_parse_loaded(text, length, path, false);
	enum target t = launch_yaml_target(root);

	yaml_release(root);
	return t;
}

/* Return the format of a file. */
static int
format_of(const char *path, const char *text, size_t length)
{
	enum target t = started_is(path, text, length) ? TARGET_MEGATRON : yaml_target(path, text, length);
	int format = 0;

	while (format < FORMATS && format_rows[format].target != t)
		format++;
	return format < FORMATS ? format : MINDFORMERS;
}

static void
write_yaml(const struct destination *w, const struct plan *p, const struct yaml_question *q)
{
	struct training t;
	struct yaml *root;
	size_t length;
	char *text;

	if (w->length >= 2 && ((unsigned char)w->text[0] == 0xff || (unsigned char)w->text[0] == 0xfe))
		place_die((struct place){ w->path, 0 }, "UTF-16 cannot be edited; convert it to UTF-8 first");
	root = yaml_parse_loaded(w->text, w->length, w->path, true);
	if (root != NULL) {
		launch_yaml_refuse(root);
		yaml_release(root);
	}
	training_parse(&t, w->path, xstrndup(w->text, w->length), w->length, true);
	update_check(&t, p, q);
	text = update_text(&t, p, q, w->micro, &length);
	update_verify(w->path, xstrndup(text, length), length, p, q);
	put_text(w, text, length);
	if (update_takes_less(q))
		fprintf(stderr, "%s: in the environment of the run: export %s=1\n", program_invocation_short_name,
		    SCHEDULER_LESS);
	training_free(&t);
}

/* Read the command in a text: a script starts it, or the keys of the YAML *ROOT are its arguments. */
static void
read_command(struct started *s, struct yaml **root, const char *path, const char *text, size_t length)
{
	*root = NULL;
	if (started_read(s, path, text, length, path))
		return;
	*root = yaml_parse_loaded(text, length, path, true);
	if (!yaml_started(s, *root, path))
		place_die((struct place){ path, 0 }, "not a script or a list of arguments");
}

/* Write a plan into a script, or into a YAML whose keys are arguments. NET: layers; NULL: unknown. */
static void
write_arguments(const struct destination *to, const struct plan *p, const struct yaml_question *q,
    const struct format *as, const struct network *net)
{
	const struct wanted_for for_file = { p, q, as->target, as->dialect, to->layers, to->micro };
	struct started now, then;
	struct yaml *root, *then_root = NULL;
	struct launch launch;
	struct wanted w;
	size_t length = to->length;
	char *text;

	if (as->dialect == LAUNCH_YAML && to->micro)
		option_usage("-mb: a file of %s has no number of micro-batches: give a candidate record",
		    target_titles[as->target]);
	if (as->dialect == LAUNCH_YAML && yaml_target(to->path, to->text, to->length) != as->target)
		place_die((struct place){ to->path, 0 }, "not a file of %s", target_titles[as->target]);
	read_command(&now, &root, to->path, to->text, to->length);
	meaning_check(&now);
	launch_of_started(&launch, &now);
	wanted_make(&w, &launch, &now, &for_file);
	if (root == NULL) {
		text = script_edited(to->path, to->text, &length, &now, &then, &w);
	} else {
		text = xstrndup(to->text, length);
		keys_edit(&text, &length, to->path, &launch, &w);
		read_command(&then, &then_root, to->path, text, length);
	}
	launch_free(&launch);
	launch_of_started(&launch, &then);
	launch_verify(&launch, &then, p, q, net, "not written");
	wanted_verify(&w, &launch, &then);
	put_text(to, text, length);
	launch_free(&launch);
	started_free(&now);
	started_free(&then);
	wanted_free(&w);
	if (root != NULL) {
		yaml_release(root);
		yaml_release(then_root);
	}
}

/* Write a plan into a YAML of HyperParallel. */
static void
write_hyperparallel(const struct destination *w, const struct plan *p, const struct yaml_question *q)
{
	size_t length = w->length;
	char *text;

	if (yaml_target(w->path, w->text, w->length) != TARGET_HYPERPARALLEL)
		place_die((struct place){ w->path, 0 }, "not a file of %s", target_titles[TARGET_HYPERPARALLEL]);
	text = hyperparallel_into(w->path, w->text, &length, p, q, w->micro);
	put_text(w, text, length);
}

/* Return the network of the layers from which the plan was made, if the stream has them; otherwise NULL. */
static struct network *
network_before(const struct records *all, const struct record *chosen, struct network *net)
{
	struct records part = { .at = all->at, .source = all->source };
	const struct record *end = chosen, *begin;
	bool timed = true;

	while (end > all->at && end[-1].kind != RECORD_LAYER)
		end--;
	for (begin = end; begin > all->at && (begin[-1].kind == RECORD_LAYER || begin[-1].kind == RECORD_MODEL ||
	    begin[-1].kind == RECORD_OTHER); begin--)
		if (begin[-1].kind == RECORD_LAYER)
			timed &= GIVEN(layer, &begin[-1].layer, time) || GIVEN(layer, &begin[-1].layer, forward_time);
	part.at += begin - all->at;
	part.n = (size_t)(end - begin);
	if (end == all->at || !timed)
		return NULL;
	*net = network_from_records(&part, NULL);
	return net;
}

/* Write one plan into its file, or print it. */
static void
put(struct records *all, struct record *chosen, int format, const struct destination *w)
{
	const struct plan *p = &chosen->plan;
	const struct format *as = &format_rows[format];
	struct yaml_question q;
	struct network given, *net = NULL;

	if (GIVEN(plan, p, status) && p->status == PLAN_INFEASIBLE)
		place_die(chosen->place, "the plan '%s' is infeasible: it does not fit into memory", p->name);
	q = question_of(all, chosen);
	if (w->micro && q.micro_batches == 0)
		place_die(chosen->place,
		    "-mb: the plan and the pipeline record have no number of micro-batches");
	yaml_question_check(&q, p, as->target);
	if (format == PPB)
		question_check_lists(&q, p);
	if (as->print == NULL)
		net = network_before(all, chosen, &given);
	if (net != NULL && q.offload > 0)
		network_link(net, q.offload, q.devices.speed);
	if (w->path != NULL && format == MINDFORMERS)
		write_yaml(w, p, &q);
	else if (w->path != NULL && format == HYPERPARALLEL)
		write_hyperparallel(w, p, &q);
	else if (w->path != NULL)
		write_arguments(w, p, &q, as, net);
	else if (as->print != NULL)
		as->print(p, &q);
	else
		print_launch(p, &q, as->target, as->dialect, net);
	if (net != NULL)
		network_free(net);
	yaml_question_free(&q);
}

static void
print_one(struct records *all, struct record *chosen, int format)
{
	put(all, chosen, format, &(struct destination){ .path = NULL });
}

int
main(int argc, char *argv[])
{
	const char *current = NULL, *init = NULL, *plan = NULL, *name = NULL, *layers_text = NULL;
	struct destination w = { .path = NULL };
	int format = -1;
	struct records all;
	const struct option_row options[] = {
		{ "w", "TRAIN.yaml or .sh", "edit this file in place", .text = &w.path },
		{ "r", "TRAIN.yaml or .sh", "read the settings of this file as a plan", .text = &current },
		{ "n", NULL, "with -w: print the changes without making them", .flag = &w.dry },
		{ "mb", NULL, "with -w: also write the number of micro-batches", .flag = &w.micro },
		{ "f", "FORMAT", "framework; -f ? lists them (mindformers)",
			.choice = &format, .names = formats },
		{ "plan", "NAME", "name of the plan, if the input has several", .text = &plan },
		{ "layers", "N or CONFIG.json", "number of layers of the model, if the script lacks it",
			.text = &layers_text },
		{ "name", "NAME", "name of the plan of -r (current)", .text = &name },
		{ "init", "TRAIN.yaml or .sh", "write the init YAML of that run", .text = &init },
		{ "set", "NAME=VALUE", "set a variable of the script", .texts = &started_call.set },
		{ "lenient", NULL, "warn about unknown arguments instead of ending", .flag = &meaning_lenient },
		{ "launch", "NUMBER", "use the program of this number, if the script starts several",
		    .whole = &started_launch,
			.min = 1, .max = 1 << 20 },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (layers_text != NULL)
		w.layers = setup_layers(layers_text);
	if (current != NULL && (w.path != NULL || format >= 0 || plan != NULL))
		option_usage("-r: not with -w, -f or -plan, as it reads settings");
	if (w.path != NULL && (format == NEMO || (format >= 0 && format_rows[format].dialect == LAUNCH_DIALECTS &&
	    format != MINDFORMERS && format != HYPERPARALLEL)))
		option_usage("-w: edits scripts and YAML of MindFormers, Primus, FlagScale and HyperParallel, not "
		    "settings of %s", formats[format]);
	if (w.path != NULL && option_json())
		option_usage("-w: not with -j, as it edits a file");
	if (w.path == NULL && (w.dry || w.micro))
		option_usage("-n and -mb: need -w");
	if (init != NULL && (current != NULL || w.path != NULL || format >= 0 || plan != NULL || name != NULL))
		option_usage("-init: only with -layers and -j, as it reads settings");
	if (init != NULL && *operands != NULL)
		option_usage("-init: unexpected operand '%s'", *operands);
	if (current == NULL && init == NULL && name != NULL)
		option_usage("-name: needs -r");
	if (current == NULL && init == NULL && w.path == NULL && w.layers > 0)
		option_usage("-layers: needs -r, -w or -init");
	if (init != NULL) {
		init_write(init, w.layers, option_json());
		stdout_close();
		return STATUS_ANSWERED;
	}
	if (current != NULL) {
		current_write(current, name != NULL ? name : "current", w.layers, operands);
		stdout_close();
		return STATUS_ANSWERED;
	}

	if (w.path != NULL) {
		w.text = read_for_edit(w.path, &w.length);
		if (format >= 0 &&
		    started_is(w.path, w.text, w.length) != (format_rows[format].dialect == LAUNCH_ARGUMENTS))
			place_die((struct place){ w.path, 0 }, "not a file of this format (-f %s)", formats[format]);
		if (format < 0)
			format = format_of(w.path, w.text, w.length);
	}
	records_read(&all, operands, RECORDS(RECORD_PLAN) | RECORDS(RECORD_KIND) | RECORDS(RECORD_PIPELINE) |
	    RECORDS(RECORD_MODEL) | RECORDS(RECORD_NETWORK) | RECORDS(RECORD_LAYER) | RECORDS(RECORD_CANDIDATE) |
	    RECORDS(RECORD_ESTIMATE) | (option_json() ? RECORDS(RECORD_SIM) : 0));
	if (option_json())
		each_format(&all, formats, format, plan, print_one);
	else
		put(&all, question_choose(&all, plan), format < 0 ? MINDFORMERS : format, &w);
	records_free(&all);
	stdout_close();
	return STATUS_ANSWERED;
}
