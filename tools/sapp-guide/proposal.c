#include "proposal.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/strategy.h"
#include "lib/record/record.h"

enum { LISTS = 4 };
static const char *const keys[LISTS] = { "offset", "recompute", "select_recompute", "select_comm_recompute" };

static const struct grid *
list_of(const struct settings *s, int i)
{
	const struct grid *const list[LISTS] = { &s->offset, &s->recompute, &s->select_recompute,
	    &s->select_comm_recompute };

	return list[i];
}

void
proposal_records(FILE *out, const struct design *d)
{
	for (int r = 0; r < d->rounds; r++) {
		struct settings s = design_settings(d, r);
		struct measure m = { .round = r,
			.offset = s.offset,
			.recompute = s.recompute,
			.select_recompute = s.select_recompute,
			.select_comm_recompute = s.select_comm_recompute };

		record_put(out, RECORD_MEASURE, &m);
		settings_free(&s);
	}
}

void
proposal_plans(FILE *out, const struct design *d)
{
	static char names[MOST_BODIES][8] = { "BODY", "BODY2", "BODY3", "BODY4" };
	const struct guide_question *q = d->question;
	struct body body[MOST_BODIES] = { { 0 } };
	struct network net = { .nbodies = q->bodies, .body = body, .layers = q->layers };
	struct pipeline pipeline = { .stages = q->stages, .interleave = 1, .schedule = (int)schedule_usual(1, false) };

	for (int b = 0; b < q->bodies; b++)
		body[b] = (struct body){ .name = names[b], .layers = q->body[b] };
	for (int r = 0; r < d->rounds; r++) {
		struct settings s = design_settings(d, r);
		char *name = xasprintf("round_%d", r);
		struct plan p = strategy_from_settings(name, PLAN_MANUAL, &s, &net, &pipeline,
		    (struct place){ .source = "settings" });

		record_put(out, RECORD_PLAN, &p);
		fields_free(&plan_fields, &p);
		settings_free(&s);
		free(name);
	}
}

static void
print_list(FILE *out, const struct grid *g)
{
	for (int p = 0; p < g->stages; p++)
		fprintf(out, "%s%d", p == 0 ? "[" : ", ", *grid_at(*g, 0, p));
	putc(']', out);
}

void
proposal_report(FILE *out, const struct design *d, const char *command, const char *path)
{
	const struct guide_question *q = d->question;
	const char *init = path != NULL ? path : "init.yaml";
	int unknown[MOST_UNKNOWNS];
	int n = question_unknowns(q, unknown);

	for (int r = 0; r < d->rounds; r++) {
		struct settings s = design_settings(d, r);

		fprintf(out, "To put in yaml configuration, round %d:\n", r);
		for (int i = 0; i < LISTS; i++) {
			fprintf(out, "  %s: ", keys[i]);
			print_list(out, list_of(&s, i));
			putc('\n', out);
		}
		settings_free(&s);
	}
	fprintf(out, "Next, for each round N (COPY.yaml is a copy of the training YAML):\n  %s -plans | sapp-yaml -w "
	    "COPY.yaml -plan round_N\n  sapp-dryrun 'COMMAND' DEVICES %d output -round N\n", command, q->stages);
	if (path == NULL)
		fprintf(out, "Then: %s -o init.yaml\n", command);
	fprintf(out, "%s, with a profile: sapp-balance --train TRAIN.yaml --init %s output PROFILE\n"
	    "(the memory of layers alone: sapp-memsplit %s output)\n", path == NULL ? "and" : "Then", init, init);
	fprintf(out, "%d round%s of %d stages: %d measurements of %d unknowns, condition %.4g\n", d->rounds,
	    d->rounds == 1 ? "" : "s", q->stages, d->rounds * q->stages, n, d->condition);
	if (d->peak > 0)
		fprintf(out, "largest peak by the estimate of -guess: %.0f MB\n", d->peak);
}

/* Print a key with a list; with several rounds, with a list of lists. */
static void
print_key(FILE *out, const struct design *d, int i)
{
	fprintf(out, "  %s: %s", keys[i], d->rounds > 1 ? "[" : "");
	for (int r = 0; r < d->rounds; r++) {
		struct settings s = design_settings(d, r);

		if (r > 0)
			fputs(",\n    ", out);
		print_list(out, list_of(&s, i));
		settings_free(&s);
	}
	fputs(d->rounds > 1 ? "]\n" : "\n", out);
}

void
proposal_yaml(FILE *out, const struct design *d)
{
	const struct guide_question *q = d->question;

	fprintf(out,
	    "# Settings of the dryruns that measure memory; see sapp-guide(1) and "
	    "sapp-memsplit(1).\npipeline_config:\n  pipeline_num: %d\n  num_layer: ",
	    q->stages);
	for (int b = 0; b < q->bodies; b++)
		fprintf(out, q->bodies > 1 ? "%s%d" : "%s%d\n", b > 0 ? ", " : q->bodies > 1 ? "[" : "", q->body[b]);
	fputs(q->bodies > 1 ? "]\n" : "", out);
	print_key(out, d, 0);
	fputs("recompute_config:\n", out);
	for (int i = 1; i < LISTS; i++)
		print_key(out, d, i);
	fputs("\n# Layer times: these, or a profile with its micro-batches, or layer records from "
	    "sapp-trace.\n#time_config:\n#  head: 30\n#  body: 180\n#  tail: 90\n#profiling_config:\n#  "
	    "micro_batch_num: 16\n#  folder_path: timeline\n\n# Peaks in MB: here, or from the "
	    "logs.\n#memory_usage:\n#  head_memory:\n#  tail_memory:\n#  body_memories:\n#    stage_id: []\n#    "
	    "memories: []\n", out);
}
