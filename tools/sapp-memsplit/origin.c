#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/script/started.h"
#include "lib/setup/setup.h"

enum { TEXT_MAX = 256 << 20 };

/*
 * Set one round without interleaving: LAYERS layers with these SETTINGS, and the NAMED kinds. Takes ownership of
 * settings and kinds.
 */
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
		place_die(at, "%d chunks per stage: memory can only be split from runs without interleaving", chunks);
}

/* Set the sizes for throughput, if they are known. */
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
from_setup(struct initfile *f, struct measured_job *job, const char *path, int layers, int *ranks)
{
	struct setup s;

	setup_read(&s, path, layers, NULL, NULL, NULL);
	check_pipeline(s.pipeline.stages, s.pipeline.interleave, s.place);
	if (s.pipeline.memory_limit.n > 0)
		GIVE(measured_job, job, memory_limit, list_copy(s.pipeline.memory_limit));
	give_batch(job, s.seq_length, s.batch_size, s.sharing);
	f->micro_batches = s.pipeline.micro_batches;
	*ranks = *ranks == 0 ? s.ranks : *ranks;
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

void
origin_read(struct initfile *f, struct measured_job *job, const char *path, int layers, int *ranks)
{
	size_t length;
	char *text;
	bool training;

	*f = (struct initfile){ 0 };
	if (strcmp(path, "-") == 0) {
		initfile_read(f, path);
		return;
	}
	text = slurp(path, TEXT_MAX, &length);
	training = started_is(path, text, length) || strncmp(text, "parallel_config:", 16) == 0 ||
	    strstr(text, "\nparallel_config:") != NULL || strstr(text, "pipeline_model_parallel_size:") != NULL;
	free(text);
	if (training)
		from_setup(f, job, path, layers, ranks);
	else
		initfile_read(f, path);
}
