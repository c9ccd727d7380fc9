/* sapp-yaml: plans into training settings, and back. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "current.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/record/record.h"
#include "lib/base/status.h"
#include "print.h"

static const char usage[] =
    "usage: sapp-yaml [-f mindformers|megatron] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -w TRAIN.yaml [-n] [-mb] [-plan NAME] [FILE...]\n"
    "       sapp-yaml -r TRAIN.yaml [-layers N] [-name NAME] [FILE...]\n";

enum { WRITE = 1, READ, DRY, MICRO, FORMAT, PLAN, LAYERS, NAME };
static const struct option options[] = {
	{ "w", required_argument, NULL, WRITE },
	{ "r", required_argument, NULL, READ },
	{ "n", no_argument, NULL, DRY },
	{ "mb", no_argument, NULL, MICRO },
	{ "f", required_argument, NULL, FORMAT },
	{ "plan", required_argument, NULL, PLAN },
	{ "layers", required_argument, NULL, LAYERS },
	{ "name", required_argument, NULL, NAME },
	OPTION_COMMON,
	{ 0 }
};
enum { MINDFORMERS, MEGATRON };
static const char *const formats[] = { "mindformers", "megatron", NULL };

/* The plan called NAME; without one the planner's first, which is its best, or the only one. */
static struct record *
choose(struct records *all, const char *name)
{
	struct record *chosen = NULL, *any = NULL;
	int plans = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct record *r = &all->at[i];

		if (r->kind != RECORD_PLAN)
			continue;
		plans++;
		any = r;
		if (chosen == NULL && (name != NULL ? strcmp(r->plan.name, name) == 0
		    : r->plan.origin == PLAN_PLANNER))
			chosen = r;
	}
	if (plans == 0)
		place_die((struct place){ all->n > 0 ? all->at[0].place.source : all->source, 0 },
		    "no plan record in the input; sapp-lp writes them");
	if (chosen == NULL && name == NULL && plans == 1)
		chosen = any;
	if (chosen != NULL)
		return chosen;
	if (name != NULL)
		fprintf(stderr, "%s: -plan: no plan is called '%s'; there are:",
		    program_invocation_short_name, name);
	else
		fprintf(stderr, "%s: choose a plan with -plan:", program_invocation_short_name);
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_PLAN)
			fprintf(stderr, " %s", all->at[i].plan.name);
	putc('\n', stderr);
	exit(STATUS_ERROR);
}

/* What the chosen plan answers: layers from its counts, the rest from the pipeline record before it. */
static struct question
question(const struct records *all, const struct record *chosen)
{
	const struct plan *p = &chosen->plan;
	const struct body_counts *body = p->counts.at;
	struct question q = { .micro_batches = p->micro_batches, .seq_split = 1, .place = chosen->place,
		.pieces = grid_new(p->offset.chunks, p->offset.stages) };
	struct settings s = { .offset = p->offset };
	struct grid by_offset;

	for (const struct record *r = all->at; r < chosen; r++)
		if (r->kind == RECORD_PIPELINE) {
			if (p->micro_batches == 0)
				q.micro_batches = r->pipeline.micro_batches;
			q.seq_split = r->pipeline.seq_split > 1 ? r->pipeline.seq_split : 1;
		}
	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; body[b].kind[k].at != NULL &&
			    i < q.pieces.chunks * q.pieces.stages; i++)
				q.pieces.at[i] += body[b].kind[k].at[i];
	q.layers = grid_sum(q.pieces);
	/* The settings are what is written: they must say what the counts say. */
	by_offset = settings_layers(&s, q.layers, q.place);
	for (int i = 0; i < q.pieces.chunks * q.pieces.stages; i++)
		if (by_offset.at[i] != q.pieces.at[i])
			place_die(q.place,
			    "plan: %d layers in chunk %d of stage %d by its counts, %d by its offset",
			    q.pieces.at[i], i / q.pieces.stages, i % q.pieces.stages, by_offset.at[i]);
	free(by_offset.at);
	return q;
}

static void
write_back(const char *path, const struct plan *p, const struct question *q, bool micro, bool dry)
{
	struct edits edits = { 0 };
	struct training t;
	size_t length;
	char *text;

	if (strcmp(path, "-") == 0)
		errx(STATUS_USAGE, "-w: a file is edited in place; '-' is none");
	training_read(&t, path);
	if (t.length >= 2 && ((unsigned char)t.text[0] == 0xff || (unsigned char)t.text[0] == 0xfe))
		place_die(t.place, "UTF-16 cannot be edited; convert it to UTF-8 first");
	update_check(&t, p, q);
	update_edits(&edits, &t, p, q, micro);
	text = edits_apply(&edits, t.text, t.length, &length);
	if (dry)
		edits_diff(&edits, t.text, t.length, path, stdout);
	if (!dry && edits.n > 0) {
		struct output out;

		output_open(&out, path);
		fwrite(text, 1, length, out.file);
		/* Checked while the old file is still there. */
		update_verify(path, text, length, p, q);
		output_commit(&out);
	} else {
		update_verify(path, text, length, p, q);
	}
	edits_free(&edits);
	training_free(&t);
}

int
main(int argc, char *argv[])
{
	const char *path = NULL, *current = NULL, *plan = NULL, *name = NULL;
	int ch, format = -1, layers = 0;
	bool dry = false, micro = false;
	struct records all;
	struct record *chosen;
	struct question q;

	while ((ch = option_next(argc, argv, usage, options)) != -1)
		switch (ch) {
		case WRITE:
			path = optarg;
			break;
		case READ:
			current = optarg;
			break;
		case DRY:
			dry = true;
			break;
		case MICRO:
			micro = true;
			break;
		case FORMAT:
			format = option_choice("-f", optarg, formats);
			break;
		case PLAN:
			plan = optarg;
			break;
		case LAYERS:
			layers = option_int("-layers", optarg, 1, 100000);
			break;
		case NAME:
			name = optarg;
			break;
		}
	if (current != NULL && (path != NULL || format >= 0 || plan != NULL))
		option_usage(usage, "-r reads settings; it goes with none of -w, -f, -plan");
	if (path != NULL && format == MEGATRON)
		option_usage(usage, "-w edits the YAML of MindFormers, not arguments of Megatron-LM");
	if (path == NULL && (dry || micro))
		option_usage(usage, "-n and -mb go with -w");
	if (current == NULL && (layers > 0 || name != NULL))
		option_usage(usage, "-layers and -name go with -r");
	if (current != NULL) {
		current_write(current, name != NULL ? name : "current", layers, argv + optind);
		stdout_close();
		return STATUS_ANSWERED;
	}

	records_read(&all, argv + optind, RECORDS(RECORD_PLAN) | RECORDS(RECORD_PIPELINE));
	chosen = choose(&all, plan);
	if (GIVEN(plan, &chosen->plan, status) && chosen->plan.status == PLAN_INFEASIBLE)
		place_die(chosen->place, "the plan '%s' is infeasible: it does not fit into memory",
		    chosen->plan.name);
	q = question(&all, chosen);
	if (micro && q.micro_batches == 0)
		place_die(chosen->place,
		    "-mb: neither the plan nor a pipeline record says how many micro-batches");
	if (path != NULL)
		write_back(path, &chosen->plan, &q, micro, dry);
	else if (format == MEGATRON)
		print_megatron(&chosen->plan, &q);
	else
		print_mindformers(&chosen->plan, &q);
	free(q.pieces.at);
	records_free(&all);
	stdout_close();
	return STATUS_ANSWERED;
}
