/* A plan as lines of a training YAML. */
#include <stdlib.h>

#include "lib/setup/scheduler.h"
#include "sapp-yaml/print.h"

static void
list(const char *key, struct grid g)
{
	char *text = settings_text(g);

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
	puts("recompute_config:");
	list("  recompute", p->recompute);
	list("  select_recompute", p->select_recompute);
	list("  select_comm_recompute", p->select_comm_recompute);
}
