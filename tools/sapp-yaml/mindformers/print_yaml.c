/* Print YAML: a plan as lines of a training YAML. */
#include <stdlib.h>

#include "lib/base/memstream.h"
#include "lib/setup/scheduler.h"
#include "lib/setup/swap.h"
#include "sapp-yaml/plan/print.h"
#include "update.h"

static void
list(FILE *f, const char *key, struct grid g)
{
	char *text = settings_text(g);

	fprintf(f, "%s: %s\n", key, text);
	free(text);
}

static void
patterns(FILE *f, const char *key, const struct yaml_question *q, bool comm)
{
	char *text = pattern_lists_text(q->patterns, comm, q->place);

	fprintf(f, "%s: %s\n", key, text);
	free(text);
}

static void
put_recomputation(FILE *f, const struct plan *p, const struct yaml_question *q)
{
	if (q->swaps) {
		int *kind = question_layer_kinds(q, p);

		swap_write(f, q->sets, kind, q->layers, q->place);
		free(kind);
		return;
	}
	fputs("recompute_config:\n", f);
	list(f, "  recompute", p->recompute);
	if (q->patterns != NULL) {
		patterns(f, "  select_recompute", q, false);
		patterns(f, "  select_comm_recompute", q, true);
		return;
	}
	list(f, "  select_recompute", p->select_recompute);
	list(f, "  select_comm_recompute", p->select_comm_recompute);
}

void
print_mindformers(const struct plan *p, const struct yaml_question *q)
{
	char *layers = question_layers(q), *text;
	size_t length;
	FILE *f = memstream_open(&text, &length);

	fprintf(f, "# %s: %s on %d stages, %d chunk%s a stage, schedule %s\n", p->name, layers,
	    p->offset.stages, p->interleave, p->interleave == 1 ? "" : "s", schedule_names[p->schedule]);
	free(layers);
	if (update_takes_less(q))
		fprintf(f, "# in the environment of the run: export %s=1\n", SCHEDULER_LESS);
	fprintf(f, "parallel_config:\n  pipeline_stage: %d\n", p->offset.stages);
	if (q->micro_batches > 0 && p->offset.stages > 1)
		fprintf(f, "  micro_batch_num: %d\n", q->micro_batches);
	if (q->shape.splits > 1)
		fprintf(f, "  seq_split_num: %d\n", q->shape.splits);
	fprintf(f, "parallel:\n  pipeline_config:\n    pipeline_interleave: %s\n    pipeline_scheduler: %s\n",
	    scheduler_interleaves(&q->shape) ? "True" : "False", scheduler_word(&q->shape));
	fprintf(f, "model:\n  model_config:\n    pp_interleave_num: %d\n", p->interleave);
	list(f, "    offset", p->offset);
	put_recomputation(f, p, q);
	memstream_close(f);
	if (q->degrees != NULL || p->offset.stages == 1)
		text = update_degrees(text, length, p, q);
	fputs(text, stdout);
	free(text);
}
