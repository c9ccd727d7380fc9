/* The init YAML and the job record of a training run, from its own settings. */
#include "init.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/record/record.h"
#include "lib/setup/setup.h"

static void
put_list(const char *key, struct grid g)
{
	char *text = settings_text(g);

	printf("  %s: %s\n", key, text);
	free(text);
}

static void
put_operators(const char *key, const struct operator_lists *l, bool comm)
{
	char *text = operator_lists_text(l, comm);

	printf("  %s: %s\n", key, text);
	free(text);
}

static void
put_yaml(const struct setup *s)
{
	const struct pipeline *p = &s->pipeline;

	if (p->interleave > 1)
		place_die(s->place, "memory is measured in runs without interleaving, and this one has %d chunks a "
		    "stage: measure with pp_interleave_num 1", p->interleave);
	if (p->stages < 2)
		place_die(s->place, "memory is measured on stages, and there is one");
	printf("# The settings of %s, for sapp-trace and sapp-memsplit.\n", s->place.source);
	if (s->extra > 0 && s->extra_counted)
		printf("# Further tokens are predicted by %d of the layers, which count as any other.\n",
		    s->extra);
	else if (s->extra > 0)
		printf("# Further tokens are predicted by %d more, measured with the tail.\n", s->extra);
	printf("pipeline_config:\n  pipeline_num: %d\n  num_layer: %d\n", p->stages, s->layers);
	put_list("offset", s->settings.offset);
	puts("recompute_config:");
	put_list("recompute", s->settings.recompute);
	if (s->operators.n > 0) {
		put_operators("select_recompute", &s->operators, false);
		put_operators("select_comm_recompute", &s->operators, true);
	} else {
		put_list("select_recompute", s->settings.select_recompute);
		put_list("select_comm_recompute", s->settings.select_comm_recompute);
	}
	if (p->micro_batches > 0)
		printf("profiling_config:\n  micro_batch_num: %d\n", p->micro_batches);
}

static void
put_record(const struct setup *s)
{
	const struct pipeline *p = &s->pipeline;
	struct measured_job job = { .given = 0 };

	GIVE(measured_job, &job, stages, p->stages);
	GIVE(measured_job, &job, interleave, p->interleave);
	if (p->micro_batches > 0)
		GIVE(measured_job, &job, micro_batches, p->micro_batches);
	if (p->memory_limit.n > 0)
		GIVE(measured_job, &job, memory_limit, list_copy(p->memory_limit));
	if (s->seq_length > 0 && s->batch_size > 0) {
		GIVE(measured_job, &job, seq_length, s->seq_length);
		GIVE(measured_job, &job, batch_size, s->batch_size);
	}
	if (s->sharing > 0)
		GIVE(measured_job, &job, model_parallel, s->sharing);
	GIVE(measured_job, &job, source, xstrdup(s->place.source));
	record_put(stdout, RECORD_JOB, &job);
	fields_free(&measured_job_fields, &job);
}

void
init_write(const char *path, int layers, bool records)
{
	struct setup s;

	setup_read(&s, path, layers, NULL, NULL, NULL);
	if (records)
		put_record(&s);
	else
		put_yaml(&s);
	setup_free(&s);
}
