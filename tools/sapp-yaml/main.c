/* sapp-yaml: convert plans to training settings and back. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/model/offload.h"
#include "lib/record/record.h"
#include "lib/script/meaning.h"
#include "lib/script/started.h"
#include "lib/setup/scheduler.h"
#include "lib/setup/setup.h"
#include "sapp-yaml/launch/edit_script.h"
#include "sapp-yaml/launch/settings_file.h"
#include "sapp-yaml/mindformers/update.h"
#include "sapp-yaml/plan/print.h"
#include "current.h"
#include "each_format.h"
#include "init.h"

static const char usage[] =
    "usage: sapp-yaml [-f FORMAT] [-j] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -w TRAIN.yaml|TRAIN.sh [-n] [-mb] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -r TRAIN.yaml|TRAIN.sh [-layers N|CONFIG.json] [-name NAME] [FILE...]\n"
    "       sapp-yaml -init TRAIN.yaml|TRAIN.sh [-layers N|CONFIG.json] [-j]\n"
    "       each with [-set NAME=VALUE]... [-launch NUMBER] [-lenient] for scripts\n"
"example: sapp-yaml -w train.yaml -n plan.jsonl\n";

enum { MINDFORMERS, MEGATRON, NEMO, MINDSPEED, TORCHTITAN, PRIMUS, FLAGSCALE, HYPERPARALLEL, PPB, FORMATS };
static const char *const formats[] = { "mindformers", "megatron", "nemo", "mindspeed", "torchtitan", "primus",
	"flagscale", "hyperparallel", "sapp-ppb", NULL };
/* Target of each format, and how to print it: as arguments, or by its own printer. */
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
	[PRIMUS] = { TARGET_PRIMUS, LAUNCH_PRIMUS, NULL },
	[FLAGSCALE] = { TARGET_FLAGSCALE, LAUNCH_FLAGSCALE, NULL },
	[HYPERPARALLEL] = { TARGET_HYPERPARALLEL, LAUNCH_DIALECTS, print_hyperparallel },
	[PPB] = { TARGET_ANY, LAUNCH_DIALECTS, print_ppb },
};

static char *
read_for_edit(const char *path, size_t *length)
{
	if (strcmp(path, "-") == 0)
		errx(STATUS_USAGE, "-w: a file is edited in place; '-' is none");
	return yaml_slurp(path, length);
}

static void
write_yaml(const char *path, char *text, size_t length, const struct plan *p, const struct yaml_question *q, bool micro,
    bool dry)
{
	struct edits edits;
	struct training t;

	training_parse(&t, path, text, length, true);
	edits = (struct edits){ .text = t.text, .length = t.length };
	if (t.length >= 2 && ((unsigned char)t.text[0] == 0xff || (unsigned char)t.text[0] == 0xfe))
		place_die(t.place, "UTF-16 cannot be edited; convert it to UTF-8 first");
	update_check(&t, p, q);
	update_edits(&edits, &t, p, q, micro);
	text = edits_apply(&edits, &length);
	if (dry)
		edits_diff(&edits, path, stdout);
	if (!dry && edits.n > 0) {
		struct output out;

		output_open(&out, path);
		output_expect(&out, t.text, t.length);
		fwrite(text, 1, length, out.file);
		/* Check before replacing the old file. */
		update_verify(path, text, length, p, q);
		output_commit(&out);
	} else {
		update_verify(path, text, length, p, q);
	}
	if (update_takes_less(q))
		fprintf(stderr, "%s: in the environment of the run: export %s=1\n", program_invocation_short_name,
		    SCHEDULER_LESS);
	edits_free(&edits);
	training_free(&t);
}

/* Write the edits into the file, or print them. */
static void
put_edits(struct edits *edits, const char *path, bool dry)
{
	size_t length;
	char *new = edits_apply(edits, &length);
	struct output out;

	if (dry) {
		edits_diff(edits, path, stdout);
	} else if (edits->n > 0) {
		output_open(&out, path);
		output_expect(&out, edits->text, edits->length);
		fwrite(new, 1, length, out.file);
		output_commit(&out);
	}
	edits_free(edits);
	free(new);
}

/* Write a plan into a script; layers in NET (NULL: unknown). */
static void
write_script(const char *path, char *text, size_t length, const struct plan *p, const struct yaml_question *q,
    enum target target, const struct network *net, bool micro, bool dry)
{
	struct edits edits = { .text = text, .length = length };
	struct started now, then;
	struct launch launch;
	struct wanted w;

	if (!started_read(&now, path, text, length, path))
		place_die((struct place){ path, 0 }, "neither a script nor a list of arguments");
	meaning_check(&now);
	launch_of_started(&launch, &now);
	wanted_make(&w, &launch, &now, p, q, target, micro);
	script_edits(&edits, path, &now, &then, &w);
	launch_free(&launch);
	launch_of_started(&launch, &then);
	launch_verify(&launch, p, q, net, "not written");
	wanted_verify(&w, &launch, &then);
	put_edits(&edits, path, dry);
	launch_free(&launch);
	started_free(&now);
	started_free(&then);
	wanted_free(&w);
	free(text);
}

/* Write a plan into the YAML of a framework with Megatron-LM's arguments. */
static void
write_settings(const char *path, char *text, size_t length, const struct plan *p, const struct yaml_question *q,
    const struct format *as, const struct network *net, bool micro, bool dry)
{
	struct edits edits = { .text = text, .length = length };
	struct yaml *root = yaml_parse_loaded(text, length, path, true);
	struct launch want;
	size_t new_length;
	char *new;

	if (micro)
		option_usage("-mb: a file of %s has no number of micro-batches: give a candidate",
		    target_titles[as->target]);
	if (settings_target(root) != as->target)
		place_die((struct place){ path, 0 }, "no file of %s", target_titles[as->target]);
	want = launch_of_plan(p, q, as->target, as->dialect);
	if (q->degrees != NULL) {
		struct candidate_words words = { as->target, as->dialect, question_experts(q) ||
			settings_experts(root) };

		launch_add_candidate(&want, q->degrees, &words, q->place);
	}
	settings_edits(&edits, root, &want, q);
	new = edits_apply(&edits, &new_length);
	launch_verify_yaml(new, path, p, q, net, "not written");
	put_edits(&edits, path, dry);
	free(new);
	launch_free(&want);
	yaml_release(root);
	free(text);
}

/* Return the format of a YAML by its target. */
static int
format_of(const char *text, size_t length, const char *path)
{
	struct yaml *root = yaml_parse_loaded(text, length, path, false);
	enum target t = settings_target(root);

	yaml_release(root);
	return t == TARGET_PRIMUS ? PRIMUS : t == TARGET_FLAGSCALE ? FLAGSCALE :
	    t == TARGET_HYPERPARALLEL ? HYPERPARALLEL : MINDFORMERS;
}

/* Write a plan into a YAML of HyperParallel. */
static void
write_hyperparallel(const char *path, char *text, size_t length, const struct plan *p, const struct yaml_question *q,
    bool micro, bool dry)
{
	struct edits edits = { .text = text, .length = length };
	size_t first = 0, last = 0, size = length;
	struct output out;
	char *new;

	if (format_of(text, length, path) != HYPERPARALLEL)
		place_die((struct place){ path, 0 }, "no file of %s", target_titles[TARGET_HYPERPARALLEL]);
	new = hyperparallel_into(path, text, &size, p, q, micro);
	/* The common start and end. */
	while (first < length && first < size && text[first] == new[first])
		first++;
	while (last < length - first && last < size - first && text[length - last - 1] == new[size - last - 1])
		last++;
	if (first + last < length || first + last < size)
		edits_add(&edits, first, length - last, xstrndup(new + first, size - last - first));
	if (dry) {
		edits_diff(&edits, path, stdout);
	} else if (edits.n > 0) {
		output_open(&out, path);
		output_expect(&out, text, length);
		fwrite(new, 1, size, out.file);
		output_commit(&out);
	}
	edits_free(&edits);
	free(new);
	free(text);
}

/* Collect the layers that the plan was made from, if the stream has them. */
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

/* Print a plan in a format, or write it into the file at PATH with TEXT. */
static void
put(const struct records *all, const struct record *chosen, const struct yaml_question *q, int format, const char *path,
    char *text, size_t length, bool micro, bool dry)
{
	const struct plan *p = &chosen->plan;
	const struct format *as = &format_rows[format];
	struct network given, *net;

	if (path != NULL && format == MINDFORMERS) {
		write_yaml(path, text, length, p, q, micro, dry);
		return;
	}
	if (path != NULL && format == HYPERPARALLEL) {
		write_hyperparallel(path, text, length, p, q, micro, dry);
		return;
	}
	if (as->print != NULL) {
		as->print(p, q);
		return;
	}
	net = network_before(all, chosen, &given);
	if (net != NULL && q->offload > 0)
		network_link(net, q->offload, q->devices.speed);
	if (path != NULL && as->dialect != LAUNCH_ARGUMENTS)
		write_settings(path, text, length, p, q, as, net, micro, dry);
	else if (path != NULL)
		write_script(path, text, length, p, q, as->target, net, micro, dry);
	else
		print_launch(p, q, as->target, as->dialect, net);
	if (net != NULL)
		network_free(net);
}

/* Write one plan into the file at PATH with TEXT, or print it if PATH is NULL. */
static void
put_checked(struct records *all, struct record *chosen, int format, const char *path, char *text, size_t length,
    bool micro, bool dry)
{
	struct yaml_question q;

	if (GIVEN(plan, &chosen->plan, status) && chosen->plan.status == PLAN_INFEASIBLE)
		place_die(chosen->place, "the plan '%s' is infeasible: it does not fit into memory",
		    chosen->plan.name);
	q = question_of(all, chosen);
	if (micro && q.micro_batches == 0)
		place_die(chosen->place,
		    "-mb: neither the plan nor a pipeline record says how many micro-batches");
	yaml_question_check(&q, &chosen->plan, format_rows[format].target);
	if (format == PPB)
		question_check_lists(&q, &chosen->plan);
	put(all, chosen, &q, format, path, text, length, micro, dry);
	yaml_question_free(&q);
}

static void
print_one(struct records *all, struct record *chosen, int format)
{
	put_checked(all, chosen, format, NULL, NULL, 0, false, false);
}

int
main(int argc, char *argv[])
{
	const char *path = NULL, *current = NULL, *init = NULL, *plan = NULL, *name = NULL;
	const char *layers_text = NULL;
	int format = -1, layers = 0;
	bool dry = false, micro = false;
	char *text = NULL;
	size_t length = 0;
	struct records all;
	const struct option_row options[] = {
		{ "w", "TRAIN.yaml or .sh", "edit this file in place", .text = &path },
		{ "r", "TRAIN.yaml or .sh", "read the settings of this file as a plan", .text = &current },
		{ "n", NULL, "with -w: print what would change, change nothing", .flag = &dry },
		{ "mb", NULL, "with -w: the number of micro-batches, too", .flag = &micro },
		{ "f", "FORMAT", "the framework; -f ? lists them (mindformers)",
			.choice = &format, .names = formats },
		{ "plan", "NAME", "take this plan of several", .text = &plan },
		{ "layers", "N or CONFIG.json", "layers of the model, if the script does not say",
			.text = &layers_text },
		{ "name", "NAME", "name of the plan of -r (current)", .text = &name },
		{ "init", "TRAIN.yaml or .sh", "write the init YAML of that run", .text = &init },
		{ "set", "NAME=VALUE", "this variable of the script has this value", .texts = &started_call.set },
		{ "lenient", NULL, "arguments that no list knows are warnings", .flag = &meaning_lenient },
		{ "launch", "NUMBER", "of several programs that the script starts, this one", .whole = &started_launch,
			.min = 1, .max = 1 << 20 },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (layers_text != NULL)
		layers = setup_layers(layers_text);
	if (current != NULL && (path != NULL || format >= 0 || plan != NULL))
		option_usage("-r reads settings; it goes with none of -w, -f, -plan");
	if (path != NULL && (format == NEMO || (format >= 0 && format_rows[format].dialect == LAUNCH_DIALECTS &&
	    format != MINDFORMERS && format != HYPERPARALLEL)))
		option_usage("-w edits scripts and YAML of MindFormers, Primus, FlagScale and HyperParallel, not "
		    "settings of %s", formats[format]);
	if (path != NULL && option_json())
		option_usage("-w edits a file; it does not go with -j");
	if (path == NULL && (dry || micro))
		option_usage("-n and -mb go with -w");
	if (init != NULL && (current != NULL || path != NULL || format >= 0 || plan != NULL || name != NULL))
		option_usage("-init reads settings; it goes with -layers and -j alone");
	if (init != NULL && *operands != NULL)
		option_usage("-init takes no other file: '%s'", *operands);
	if (current == NULL && init == NULL && (layers > 0 || name != NULL))
		option_usage("-layers and -name go with -r");
	if (init != NULL) {
		init_write(init, layers, option_json());
		stdout_close();
		return STATUS_ANSWERED;
	}
	if (current != NULL) {
		current_write(current, name != NULL ? name : "current", layers, operands);
		stdout_close();
		return STATUS_ANSWERED;
	}

	if (path != NULL) {
		text = read_for_edit(path, &length);
		if (format >= 0 && started_is(path, text, length) != (format_rows[format].dialect == LAUNCH_ARGUMENTS))
			place_die((struct place){ path, 0 }, "-f %s: it is no such file", formats[format]);
		if (format < 0)
			format = started_is(path, text, length) ? MEGATRON : format_of(text, length, path);
	}
	records_read(&all, operands, RECORDS(RECORD_PLAN) | RECORDS(RECORD_KIND) | RECORDS(RECORD_PIPELINE) |
	    RECORDS(RECORD_MODEL) | RECORDS(RECORD_NETWORK) | RECORDS(RECORD_LAYER) | RECORDS(RECORD_CANDIDATE) |
	    RECORDS(RECORD_ESTIMATE) | (option_json() ? RECORDS(RECORD_SIM) : 0));
	if (option_json())
		each_format(&all, formats, format, plan, print_one);
	else
		put_checked(&all, question_choose(&all, plan), format < 0 ? MINDFORMERS : format, path, text, length,
		    micro, dry);
	records_free(&all);
	stdout_close();
	return STATUS_ANSWERED;
}
