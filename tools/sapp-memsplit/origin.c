#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/measure/arguments.h"
#include "lib/script/started.h"
#include "lib/setup/setup.h"

enum { TEXT_MAX = 256 << 20 };

/* Fill in one round without interleaving: LAYERS with these settings, and NAMED kinds. Takes ownership of both. */
static void
fill(struct initfile *f, struct place at, int stages, int layers, struct settings settings,
    struct grid named[RECOMPUTE_KINDS])
{
	struct init_round *r;

	f->place = at;
	f->stages = stages;
	f->layers = layers;
	f->bodies = 1;
	f->body_layers = xcalloc(1, sizeof *f->body_layers);
	f->body_layers[0] = layers;
	f->rounds = 1;
	f->step_micro_batches = f->micro_batches;
	f->round = r = xcalloc(1, sizeof *f->round);
	r->settings = settings;
	r->layers = settings_layers(&r->settings, layers, at);
	if (named != NULL)
		memcpy(r->kind, named, sizeof r->kind);
	else
		settings_to_counts(&r->settings, layers, r->kind, at);
}

static void
check_pipeline(int stages, int chunks, struct place at)
{
	if (stages < 2)
		place_die(at, "a pipeline of %d stage%s: nothing to split", stages, stages == 1 ? "" : "s");
	if (chunks > 1)
		place_die(at, "%d chunks a stage: memory is split from runs without interleaving", chunks);
}

/* Set the sizes for throughput, if known. */
static void
give_batch(struct measured_job *job, int seq_length, int batch_size, int sharing)
{
	if (seq_length > 0 && batch_size > 0) {
		GIVE(measured_job, job, seq_length, seq_length);
		GIVE(measured_job, job, batch_size, batch_size);
	}
	if (sharing > 0)
		GIVE(measured_job, job, model_parallel, sharing);
}

static void
from_setup(struct initfile *f, struct measured_job *job, const char *path, int layers)
{
	struct setup s;

	setup_read(&s, path, layers, NULL, NULL, NULL);
	check_pipeline(s.pipeline.stages, s.pipeline.interleave, s.place);
	if (s.pipeline.memory_limit.n > 0)
		GIVE(measured_job, job, memory_limit, list_copy(s.pipeline.memory_limit));
	give_batch(job, s.seq_length, s.batch_size, s.sharing);
	f->micro_batches = s.pipeline.micro_batches;
	fill(f, s.place, s.pipeline.stages, s.layers, (struct settings){ grid_copy(s.settings.offset),
	    grid_copy(s.settings.recompute), grid_copy(s.settings.select_recompute),
	    grid_copy(s.settings.select_comm_recompute) }, s.named.n > 0 ? s.kind : NULL);
	if (s.named.n > 0)
		memset(s.kind, 0, sizeof s.kind);
	f->kinds = s.named;
	s.named = (struct operator_kinds){ 0 };
	f->model.hidden_size = s.hidden_size;
	f->model.num_heads = s.num_heads;
	f->model.vocab_size = s.vocab_size;
	f->model.intermediate_size = s.intermediate_size;
	setup_free(&s);
}

/* Return the layers per stage from a layout, including multi-token prediction layers. */
static struct grid
placed(const struct arguments *a)
{
	struct grid extra, n = arguments_layout(a, &extra);

	for (int s = 0; s < n.stages; s++)
		n.at[s] += extra.at[s];
	free(extra.at);
	return n;
}

/* Return the layers per stage of Megatron-LM's default split. */
static struct grid
dealt(const struct arguments *a, int layers, int stages, struct place at)
{
	struct grid n = grid_new(1, stages);
	int first = a->number[ARGUMENT_FIRST_LAYERS], last = a->number[ARGUMENT_LAST_LAYERS], between = stages,
	    rest = layers;

	rest += a->embedding + a->loss - first - last;
	between -= (first > 0) + (last > 0);
	if (rest < 0 || (between == 0 && rest != 0) || (between > 0 && rest % between != 0))
		place_die(at, "%d layers cannot be dealt out over %d stages%s", layers, stages,
		    first > 0 || last > 0 ? " by those of the first and the last" : "");
	for (int s = 0; s < stages; s++)
		n.at[s] = s == 0 && first > 0 ? first : s == stages - 1 && last > 0 ? last : rest / between;
	n.at[0] -= a->embedding;
	n.at[stages - 1] -= a->loss;
	return n;
}

static void
from_arguments(struct initfile *f, const struct arguments *a, struct place at, int layers)
{
	int stages = arguments_stages(a), even;
	struct settings s = { .offset = grid_new(1, stages), .recompute = grid_new(1, stages),
		.select_recompute = grid_new(1, stages), .select_comm_recompute = grid_new(1, stages) };
	struct grid n;

	check_pipeline(stages, arguments_chunks(a), at);
	if (a->offload.line > 0)
		place_die(a->offload,
		    "activations are offloaded, which this cannot take into account: measure without");
	layers = a->number[ARGUMENT_LAYERS] > 0 ? a->number[ARGUMENT_LAYERS] : layers;
	if (a->layout == NULL && (layers == 0 || layers > 100000))
		place_die(at, "no num_layers; say how many with -layers");
	n = a->layout != NULL ? placed(a) : dealt(a, layers, stages, at);
	layers = grid_sum(n);
	even = layers / stages;
	for (int i = 0; i < stages; i++) {
		int some = a->block && a->number[ARGUMENT_RECOMPUTE_LAYERS] < n.at[i]
		    ? a->number[ARGUMENT_RECOMPUTE_LAYERS] : n.at[i];

		s.offset.at[i] = n.at[i] - even;
		s.recompute.at[i] = a->recompute == ARGUMENT_FULL ? some : 0;
		s.select_recompute.at[i] = a->recompute == ARGUMENT_SELECTIVE ? n.at[i] : 0;
		s.select_comm_recompute.at[i] = 0;
	}
	/* Lists overlap: full recomputation counts in the others. */
	for (int i = 0; i < stages && a->recompute == ARGUMENT_FULL; i++)
		s.select_recompute.at[i] = s.select_comm_recompute.at[i] = s.recompute.at[i];
	free(n.at);
	f->micro_batches = arguments_micro(a);
	fill(f, at, stages, layers, s, NULL);
}

/* Read the argument list of a Megatron-LM log, or a YAML configuration; false: none in TEXT. */
static bool
from_log(struct initfile *f, struct measured_job *job, const char *text, size_t length, struct place at, int layers,
    int *ranks)
{
	struct arguments a = { 0 };
	struct place line = at;
	bool found;

	for (const char *p = text, *end = text + length, *next; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		next = next != NULL ? next : end;
		line.line++;
		arguments_line(&a, p, (size_t)(next - p), line);
	}
	found = arguments_stages(&a) > 0 && a.trust[ARGUMENT_PIPELINE] > 1;
	if (found)
		from_arguments(f, &a, at, layers);
	if (found)
		give_batch(job, a.number[ARGUMENT_SEQ_LENGTH], a.number[ARGUMENT_MICRO_BATCH],
		    (a.number[ARGUMENT_TENSOR] > 0 ? a.number[ARGUMENT_TENSOR] : 1) *
		    (a.number[ARGUMENT_CONTEXT] > 0 ? a.number[ARGUMENT_CONTEXT] : 1));
	if (found && *ranks == 0)
		*ranks = arguments_ranks(&a);
	arguments_free(&a);
	return found;
}

void
origin_read(struct initfile *f, struct measured_job *job, struct memsplit_shapes *shapes, const char *path, int layers,
    int *ranks)
{
	struct place at = { slurp_name(path), 0 };
	size_t length;
	char *text;
	bool training;

	*f = (struct initfile){ 0 };
	if (strcmp(path, "-") == 0) {
		initfile_read(f, path);
		return;
	}
	text = slurp(path, TEXT_MAX, &length);
	if ((memmem(text, length, "pipeline_model_parallel_size ", 29) != NULL ||
	    memmem(text, length, "pipeline_model_parallel_size:", 29) != NULL) &&
	    from_log(f, job, text, length, at, layers, ranks)) {
		shapes_of_log(shapes, text, length, at);
		free(text);
		return;
	}
	training = started_is(path, text, length) || strncmp(text, "parallel_config:", 16) == 0 ||
	    strstr(text, "\nparallel_config:") != NULL;
	free(text);
	if (training)
		from_setup(f, job, path, layers);
	else
		initfile_read(f, path);
}
