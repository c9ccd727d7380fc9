#include "settings.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/yaml/yaml_edit.h"

/* The steps from FIRST to before LAST are profiled. */
enum { FIRST = 4, LAST = 6 };

const char *const settings_formats[] = { "megatron", "mindspeed", "mindformers", NULL };

void
settings_begin(struct writing *w)
{
	if (w->format != SETTINGS_MINDFORMERS && w->training != NULL)
		option_usage("-training: only with -f mindformers; scripts take arguments instead");
	if (w->format == SETTINGS_MINDFORMERS && (w->training == NULL || w->directory == NULL))
		option_usage("-f mindformers: needs -training, the YAML to edit, and -o, the directory to write to");
	for (int i = 0; i < w->set.n; i++)
		if (*w->set.at[i] == '=' || strchr(w->set.at[i], '=') == NULL)
			option_usage("-set: expected KEY=VALUE '%s'", w->set.at[i]);
	if (w->directory != NULL && mkdir(w->directory, 0777) != 0 && errno != EEXIST)
		err(STATUS_ERROR, "%s", w->directory);
	if (w->training != NULL)
		w->text = yaml_slurp(w->training, &w->length);
}

void
settings_end(struct writing *w)
{
	free(w->text);
	texts_free(&w->set);
}

static void
set_number(char **text, size_t *length, const char *source, const char *key, int value)
{
	char *number = xasprintf("%d", value);

	yaml_edit_set(text, length, source, key, number);
	free(number);
}

/* Return the first rank of each stage, separated by BETWEEN; caller frees. */
static char *
ranks_of(const struct configuration *c, const char *between)
{
	int stage = c->dp * c->tp * c->cp;
	char *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < c->pp; i++)
		fprintf(f, "%s%d", i > 0 ? between : "", i * stage);
	memstream_close(f);
	return text;
}

static void
write_yaml(const struct writing *w, struct training_run *r, const struct architecture *n)
{
	const struct configuration *c = &r->of;
	char *path = xasprintf("%s/%s_pretrain.yaml", w->directory, c->name), *text = xstrdup(w->text);
	char *output = xasprintf("%s/%s", w->directory, c->name), *ranks = ranks_of(c, ", ");
	char *list = xasprintf("[%s]", ranks);
	size_t length = w->length;
	struct output out;
	const struct { const char *key; int value; bool say; } number[] = {
		{ "parallel_config.data_parallel", c->dp, true }, { "parallel_config.model_parallel", c->tp, true },
		{ "parallel_config.context_parallel", c->cp, c->cp > 1 },
		{ "parallel_config.expert_parallel", c->ep, n->experts > 0 },
		{ "parallel_config.pipeline_stage", c->pp, true },
		{ "parallel_config.micro_batch_num", c->micro_batches, true },
		{ "runner_config.batch_size", c->mbs, true },
		{ "model.model_config.num_layers", r->layers, GIVEN(training_run, r, layers) },
		{ "model.model_config.offset", 0, true },
		{ "model.model_config.pp_interleave_num", 1, true },
		{ "model.model_config.seq_length", r->seq_length, r->seq_length != n->seq_length },
		{ "model.model_config.num_heads", r->num_heads, GIVEN(training_run, r, num_heads) },
		{ "model.model_config.n_kv_heads", r->kv_heads, GIVEN(training_run, r, kv_heads) },
		{ "model.model_config.intermediate_size", r->ffn_size, GIVEN(training_run, r, ffn_size) },
		{ "model.model_config.vocab_size", r->vocab_size, GIVEN(training_run, r, vocab_size) },
		{ "moe_config.expert_num", r->experts, n->experts > 0 && r->experts != n->experts },
		{ "profile_start_step", FIRST, true }, { "profile_stop_step", LAST, true },
		{ "profile_level", 1, true },
	};
	const struct { const char *key, *value; } word[] = {
		{ "parallel_config.use_seq_parallel", c->tp > 1 && c->sp ? "True" : "False" },
		{ "recompute_config.recompute", c->recompute == KEEP_FULL ? "True" : "False" },
		{ "profile", "True" }, { "init_start_profile", "True" }, { "profile_communication", "True" },
		{ "profile_memory", "True" }, { "op_time", "True" }, { "profile_output", output },
		{ "profile_rank_ids", list },
		{ "moe_config.use_fused_ops_permute", GIVEN(configuration, c, fused) && n->experts > 0 ?
		    c->fused & FUSED_PERMUTE ? "True" : "False" : NULL },
	};

	if (c->fused & FUSED_MC2)
		errx(STATUS_ERROR, "-f mindformers: a training YAML cannot set mc2, which '%s' has in fused; set "
		    "compute_communicate_fusion_level in the file of parallel_speed_up_json_path",
		    c->name);
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		if (number[i].say)
			set_number(&text, &length, w->training, number[i].key, number[i].value);
	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		if (word[i].value != NULL)
			yaml_edit_set(&text, &length, w->training, word[i].key, word[i].value);
	for (int i = 0; i < w->set.n; i++) {
		char *key = xstrdup(w->set.at[i]), *value = strchr(key, '=');

		*value++ = '\0';
		yaml_edit_set(&text, &length, w->training, key, value);
		free(key);
	}
	/* Check that the text is valid YAML. */
	yaml_release(yaml_parse(text, length, path));
	output_open(&out, path);
	fwrite(text, 1, length, out.file);
	output_commit(&out);
	GIVE(training_run, r, command, xasprintf("--config %s", path));
	free(list);
	free(ranks);
	free(output);
	free(path);
	free(text);
}

static void
say_degrees(FILE *f, const struct training_run *r, const struct architecture *n)
{
	const struct configuration *c = &r->of;
	const struct { const char *name; int value; bool say; } argument[] = {
		{ "tensor-model-parallel-size", c->tp, true }, { "pipeline-model-parallel-size", c->pp, true },
		{ "context-parallel-size", c->cp, true }, { "expert-model-parallel-size", c->ep, n->experts > 0 },
		{ "expert-tensor-parallel-size", c->etp, n->experts > 0 },
		{ "micro-batch-size", c->mbs, true },
		{ "global-batch-size", c->mbs * c->dp * c->micro_batches, true },
		{ "num-layers", r->layers, GIVEN(training_run, r, layers) },
		{ "seq-length", r->seq_length, true }, { "num-experts", r->experts, n->experts > 0 },
		{ "num-attention-heads", r->num_heads, GIVEN(training_run, r, num_heads) },
		{ "num-query-groups", r->kv_heads, GIVEN(training_run, r, kv_heads) },
		{ "ffn-hidden-size", r->ffn_size, GIVEN(training_run, r, ffn_size) },
		{ "moe-ffn-hidden-size", r->expert_ffn_size, GIVEN(training_run, r, expert_ffn_size) },
		{ "train-iters", LAST + 1, true }, { "profile-step-start", FIRST, true },
		{ "profile-step-end", LAST, true },
	};

	for (size_t i = 0; i < sizeof argument / sizeof argument[0]; i++)
		if (argument[i].say)
			fprintf(f, "--%s %d ", argument[i].name, argument[i].value);
	fprintf(f, "%s%s", c->fused & FUSED_MC2 ? "--use-ascend-mc2 " : "", c->fused & FUSED_PERMUTE ?
	    "--moe-permute-fusion " : "");
	fprintf(f, "%s%s%s--profile", c->tp > 1 && c->sp ? "--sequence-parallel " : "", c->zero > 0 ?
	    "--use-distributed-optimizer " : "", c->recompute == KEEP_FULL ?
	    "--recompute-granularity full --recompute-method uniform --recompute-num-layers 1 " : "");
}

static void
write_arguments(const struct writing *w, struct training_run *r, const struct architecture *n)
{
	char *ranks = ranks_of(&r->of, " "), *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	say_degrees(f, r, n);
	fprintf(f, " --profile-ranks %s", ranks);
	fputs(w->format == SETTINGS_MEGATRON ? " --use-pytorch-profiler" :
	    " --profile-level level1 --profile-with-cpu --profile-with-memory --profile-record-shapes", f);
	if (w->directory != NULL)
		fprintf(f, " --%s %s/%s", w->format == SETTINGS_MEGATRON ? "tensorboard-dir" : "profile-save-path",
		    w->directory, r->of.name);
	for (int i = 0; i < w->set.n; i++) {
		int key = (int)strcspn(w->set.at[i], "=");

		fprintf(f, " --%.*s%s%s", key, w->set.at[i], w->set.at[i][key + 1] != '\0' ? " " : "",
		    w->set.at[i] + key + 1);
	}
	memstream_close(f);
	GIVE(training_run, r, command, text);
	free(ranks);
}

void
settings_write(const struct writing *w, struct offer *o, const struct architecture *n)
{
	if (w->format == SETTINGS_MINDFORMERS)
		write_yaml(w, &o->run, n);
	else
		write_arguments(w, &o->run, n);
}
