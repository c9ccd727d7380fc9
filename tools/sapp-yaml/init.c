#include "init.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
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

/* Write the sizes that are needed to split sequences. */
static void
put_sizes(const struct setup *s)
{
	printf("model_config:\n  seq_length: %d\n  hidden_size: %d\n  vocab_size: %d\n  batch_size: %d\n"
	    "  model_parallel: %d\n", s->seq_length, s->hidden_size, s->vocab_size, s->batch_size, s->sharing);
	if (s->num_heads > 0)
		printf("  num_heads: %d\n", s->num_heads);
	if (s->intermediate_size > 0)
		printf("  intermediate_size: %d\n", s->intermediate_size);
}

static void
put_yaml(const struct setup *s)
{
	const struct pipeline *p = &s->pipeline;

	if (p->interleave > 1)
		place_die(s->place, "memory is measured in runs without interleaving, but this run has %d chunks per "
		    "stage: measure with one chunk", p->interleave);
	if (p->stages < 2)
		place_die(s->place, "memory is measured on several stages, but this run has one");
	printf("# The settings of %s, for sapp-trace and sapp-memsplit.\n", s->place.source);
	if (s->extra > 0 && s->extra_counted)
		printf("# %d of the layers are for multi-token prediction, and are counted like the others.\n",
		    s->extra);
	else if (s->extra > 0)
		printf("# %d more layers are for multi-token prediction, and are measured with the tail.\n", s->extra);
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
	if (s->seq_length > 0 && s->hidden_size > 0 && s->vocab_size > 0 && s->batch_size > 0 && s->sharing > 0)
		put_sizes(s);
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
	GIVE(measured_job, &job, target, xstrdup(target_names[s->target == TARGETS ? TARGET_MEGATRON : s->target]));
	GIVE(measured_job, &job, source, xstrdup(s->place.source));
	record_put(stdout, RECORD_JOB, &job);
	fields_free(&measured_job_fields, &job);
}

/*
 * Read a question file of sapp_ppb (PPOptimizer of HyperParallel), which comes with a file of layers. It describes a
 * job before any run. Return false if the file is of another kind.
 */
static bool
put_question(const char *path)
{
	static const char *const known[] = { "pipeline_num", "micro_batch_num", "num_layer", "num_of_interleave",
		"vpp_less_memory", "optimization_level", "memory_limit", "constant_memory", "enable_simulation",
		"sim_comm_time", "use_backward_time", NULL };
	struct measured_job job = { .given = 0 };
	const struct yaml *q, *node;
	size_t length;
	char *text = yaml_slurp(path, &length);
	struct yaml *root = strstr(text, "pipeline_num:") != NULL ? yaml_parse(text, length, slurp_name(path)) : NULL;
	double constant;

	free(text);
	q = root != NULL ? yaml_get(root, "pipeline_config") : NULL;
	if (q == NULL || q->type != YAML_MAP || yaml_get(q, "micro_batch_num") == NULL) {
		if (root != NULL)
			yaml_release(root);
		return false;
	}
	yaml_known(q, known);
	GIVE(measured_job, &job, stages, yaml_int(yaml_need(q, "pipeline_num"), "pipeline_num", 1, 9999));
	GIVE(measured_job, &job, micro_batches,
	    yaml_int(yaml_need(q, "micro_batch_num"), "micro_batch_num", 1, 1 << 20));
	node = yaml_get(q, "num_of_interleave");
	GIVE(measured_job, &job, interleave, node != NULL ? yaml_int(node, "num_of_interleave", 1, 1000) : 1);
	node = yaml_get(q, "constant_memory");
	constant = node != NULL ? yaml_real(node, "constant_memory", 0, 1e9) : 0;
	if ((node = yaml_get(q, "memory_limit")) != NULL) {
		GIVE(measured_job, &job, memory_limit, list_new(1));
		job.memory_limit.at[0] = yaml_real(node, "memory_limit", 1, 1e9) - constant;
		if (job.memory_limit.at[0] <= 0)
			place_die(node->place, "memory_limit: too low, must be above the constant_memory of every "
			    "stage '%s'", node->text);
	}
	if ((node = yaml_get(q, "sim_comm_time")) != NULL) {
		GIVE(measured_job, &job, comm_time, list_new(1));
		job.comm_time.at[0] = yaml_real(node, "sim_comm_time", 0, 1e9);
	}
	node = yaml_get(q, "vpp_less_memory");
	if (node != NULL && yaml_bool(node, "vpp_less_memory"))
		place_warn(node->place, "vpp_less_memory: ignored, as no member of a job has it: plan with sapp-lp -lm "
		    "1");
	GIVE(measured_job, &job, source, xstrdup(slurp_name(path)));
	record_put(stdout, RECORD_JOB, &job);
	fields_free(&measured_job_fields, &job);
	yaml_release(root);
	return true;
}

void
init_write(const char *path, int layers, bool records)
{
	struct setup s;

	if (records && put_question(path))
		return;
	setup_read(&s, path, layers, NULL, NULL, NULL);
	if (records)
		put_record(&s);
	else
		put_yaml(&s);
	setup_free(&s);
}
