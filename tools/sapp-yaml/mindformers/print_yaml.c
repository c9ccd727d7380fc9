/* A plan as lines of a training YAML. */
#include <stdlib.h>

#include "lib/setup/scheduler.h"
#include "lib/setup/swap.h"
#include "sapp-yaml/print.h"

static void
list(const char *key, struct grid g)
{
	char *text = settings_text(g);

	printf("%s: %s\n", key, text);
	free(text);
}

static void
patterns(const char *key, const struct question *q, bool comm)
{
	char *text = pattern_lists_text(q->patterns, comm, q->place);

	printf("%s: %s\n", key, text);
	free(text);
}

void
print_mindformers(const struct plan *p, const struct question *q)
{
	char *layers = question_layers(q);

	printf("# %s: %s on %d stages, %d chunk%s a stage, schedule %s\n", p->name, layers,
	    p->offset.stages, p->interleave, p->interleave == 1 ? "" : "s", schedule_names[p->schedule]);
	free(layers);
	if (update_takes_less(q))
		printf("# in the environment of the run: export %s=1\n", SCHEDULER_LESS);
	printf("parallel_config:\n  pipeline_stage: %d\n", p->offset.stages);
	if (q->micro_batches > 0)
		printf("  micro_batch_num: %d\n", q->micro_batches);
	if (q->shape.splits > 1)
		printf("  seq_split_num: %d\n", q->shape.splits);
	printf("parallel:\n  pipeline_config:\n    pipeline_interleave: %s\n    pipeline_scheduler: %s\n",
	    scheduler_interleaves(&q->shape) ? "True" : "False", scheduler_word(&q->shape));
	printf("model:\n  model_config:\n    pp_interleave_num: %d\n", p->interleave);
	list("    offset", p->offset);
	if (q->swaps) {
		int *kind = question_layer_kinds(q, p);

		swap_write(stdout, q->sets, kind, q->layers, q->place);
		free(kind);
		return;
	}
	puts("recompute_config:");
	list("  recompute", p->recompute);
	if (q->patterns != NULL) {
		patterns("  select_recompute", q, false);
		patterns("  select_comm_recompute", q, true);
		return;
	}
	list("  select_recompute", p->select_recompute);
	list("  select_comm_recompute", p->select_comm_recompute);
}
