#include "answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "run.h"

static struct layer *
layer_add(struct memsplit_answer *a, const char *name, enum layer_type type)
{
	struct layer *l = xcalloc(1, sizeof *l);

	a->layer = xreallocarray(a->layer, (size_t)a->n + 1, sizeof(struct layer *));
	a->layer[a->n++] = l;
	l->name = xstrdup(name);
	l->type = type;
	l->nb_layer = 1;
	return l;
}

static void
layer_copy(struct memsplit_answer *a, const struct layer *from)
{
	struct layer *l = layer_add(a, from->name, (enum layer_type)from->type);

	fields_free(&layer_fields, l);
	fields_copy(&layer_fields, l, from);
}

/* Return the model record of the stream; NULL if it has none. Exits if it has several. */
static const struct record *
stream_model(const struct records *stream)
{
	const struct record *model = NULL;

	for (size_t i = 0; i < stream->n; i++) {
		if (stream->at[i].kind != RECORD_MODEL)
			continue;
		if (model != NULL)
			place_die(stream->at[i].place,
			    "model: a second model '%s' after '%s': the measurements are of one model",
			    stream->at[i].model.name, model->model.name);
		model = &stream->at[i];
	}
	return model;
}

static void
take_layers(struct memsplit_answer *a, const struct records *stream, enum layer_type type)
{
	for (size_t i = 0; i < stream->n; i++)
		if (stream->at[i].kind == RECORD_LAYER && stream->at[i].layer.type == (int)type)
			layer_copy(a, &stream->at[i].layer);
}

/* Set the layer's forward time per micro-batch from timing records with its name, if any. */
static void
take_timing(struct layer *l, const struct input *in)
{
	double total = 0, layers_steps = 0;

	for (size_t i = 0; i < in->stream.n; i++) {
		const struct record *r = &in->stream.at[i];

		if (r->kind != RECORD_TIMING || r->timing.phase != TIMING_FORWARD ||
		    strcmp(r->timing.name, l->name) != 0)
			continue;
		total += r->timing.total;
		layers_steps += (double)r->timing.instances * r->timing.steps;
		if (in->init.micro_batches == 0)
			place_die(r->place,
			    "timing: the time of a micro-batch needs micro_batch_num in profiling_config");
	}
	if (layers_steps > 0)
		GIVE(layer, l, time, total / layers_steps / in->init.micro_batches);
}

static void
make_layers(struct memsplit_answer *a, const struct input *in, const struct bodies *bodies, enum layer_type type)
{
	static const char *const names[] = { "HEAD", "BODY", "TAIL" };
	const struct init_names *known = &in->init.names[type];
	int before = a->n;

	for (int i = 0; type == LAYER_BODY && i < bodies->n; i++)
		take_timing(layer_add(a, bodies->name[i], type), in);
	for (int i = 0; type != LAYER_BODY && i < known->n; i++)
		take_timing(layer_add(a, known->at[i], type), in);
	if (a->n == before)
		layer_add(a, names[type], type);
	if (!in->init.has_time)
		return;
	for (int i = 0; type == LAYER_BODY && i < bodies->n; i++)
		GIVE(layer, a->layer[before + i], time, in->init.body_time[i]);
	if (type != LAYER_BODY)
		GIVE(layer, a->layer[a->n - 1], time, in->init.time[type]);
}

/* Set the memory of a head or tail. The value found is a sum over layers, so the first layer gets it all. */
static void
set_end(struct layer *l, const struct split *s, bool first)
{
	enum unknown u = l->type == LAYER_HEAD ? UNKNOWN_HEAD : UNKNOWN_TAIL;

	GIVE(layer, l, memory_parameter, first ? s->value[system_unknown(s->system, 0, u)] / l->nb_layer : 0);
}

/*
 * Return the backward coefficient of a kind without measured time. It is the coefficient of full recomputation, scaled
 * by the fraction of memory that the kind saves.
 */
static double
coef_of(const struct layer *l, const struct split *s, int activation, int kind)
{
	const double *kept = s->value + activation;
	bool measured = GIVEN(layer, l, time) && GIVEN(layer, l, backward[RECOMPUTE_NONE]) &&
	    l->backward[RECOMPUTE_NONE] > 0;
	double whole = measured ? l->time / l->backward[RECOMPUTE_NONE] : recompute_default_coef[RECOMPUTE_FULL];

	if (!s->solved[activation + RECOMPUTE_NONE] || kept[RECOMPUTE_NONE] <= kept[RECOMPUTE_FULL])
		return whole;
	return whole * fmin(1, fmax(0, (kept[RECOMPUTE_NONE] - kept[kind]) /
	    (kept[RECOMPUTE_NONE] - kept[RECOMPUTE_FULL])));
}

/* Set the activations of a kind with a name of its own. The kind is added to the layer if needed. */
static void
set_named(struct layer *l, const struct split *s, int activation, int kind)
{
	struct kind_figures *of = l->kinds.at;
	int i = 0;

	while (i < l->kinds.n && strcmp(of[i].name, recompute_names[kind]) != 0)
		i++;
	if (i == l->kinds.n) {
		of = array_add(&kind_figures_fields, &l->kinds);
		of->name = xstrdup(recompute_names[kind]);
		GIVE(kind_figures, of, backward_coef, coef_of(l, s, activation, kind));
		field_give(&layer_fields, l, offsetof(struct layer, kinds));
		place_warn((struct place){ s->system->init->place.source, 0 }, "the backward of '%s' with '%s' was not "
		    "measured: estimated as %.3g %% longer than without, from the memory that it saves; write the "
		    "measured time into the member kinds of the layer record", l->name, recompute_names[kind],
		    100 * of->backward_coef);
	} else {
		of = &of[i];
	}
	GIVE(kind_figures, of, activation, s->value[activation + kind]);
}

static void
set_memory(struct memsplit_answer *a, const struct split *s)
{
	bool done[3] = { false };
	int body = 0;

	for (int i = 0; i < a->n; i++) {
		struct layer *l = a->layer[i];
		int activation = system_unknown(s->system, body, UNKNOWN_ACTIVATION);

		if (l->type != LAYER_BODY) {
			set_end(l, s, !done[l->type]);
			done[l->type] = true;
			continue;
		}
		l->nb_layer = s->system->bodies.layers[body];
		GIVE(layer, l, memory_parameter, s->value[system_unknown(s->system, body, UNKNOWN_PARAMETER)]);
		if (s->value[system_floor_unknown(s->system)] > 0)
			GIVE(layer, l, memory_floor, s->value[system_floor_unknown(s->system)]);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (s->solved[activation + k] && k < RECOMPUTE_BUILT_IN)
				GIVE(layer, l, memory[k], s->value[activation + k]);
			else if (s->solved[activation + k])
				set_named(l, s, activation, k);
		body++;
	}
}

/* Set the sizes for throughput, unless the model has them, from the last job that has them. */
static void
take_batch(struct model *m, const struct input *in)
{
	for (size_t i = in->stream.n + 1; i-- > 0;) {
		bool own = i == in->stream.n;
		const struct measured_job *job = own ? &in->job : &in->stream.at[i].job;

		if (!own && in->stream.at[i].kind != RECORD_JOB)
			continue;
		if (GIVEN(measured_job, job, seq_length) && GIVEN(measured_job, job, batch_size) &&
		    !GIVEN(model, m, seq_length) && !GIVEN(model, m, batch_size)) {
			GIVE(model, m, seq_length, job->seq_length);
			GIVE(model, m, batch_size, job->batch_size);
		}
		if (GIVEN(measured_job, job, model_parallel) && !GIVEN(model, m, model_parallel))
			GIVE(model, m, model_parallel, job->model_parallel);
	}
}

/* Set a member unless the model has it. */
static void
complete(struct model *m, size_t offset, int value)
{
	if (value <= 0 || field_given(&model_fields, m, offset))
		return;
	*(int *)((char *)m + offset) = value;
	field_give(&model_fields, m, offset);
}
#define COMPLETE(m, member, value) complete(m, offsetof(struct model, member), value)

/* Set the sizes for sequence splits from model_config of the init YAML, or otherwise from the network and its runs. */
static void
take_sizes(struct model *m, const struct input *in)
{
	const struct model *said = &in->init.model;
	const struct memsplit_shapes *s = &in->shapes;

	COMPLETE(m, seq_length, said->seq_length);
	COMPLETE(m, hidden_size, said->hidden_size);
	COMPLETE(m, num_heads, said->num_heads);
	COMPLETE(m, vocab_size, said->vocab_size);
	COMPLETE(m, batch_size, said->batch_size);
	COMPLETE(m, model_parallel, said->model_parallel);
	COMPLETE(m, intermediate_size, said->intermediate_size);
	if (!s->known)
		return;
	COMPLETE(m, seq_length, s->net.seq_length);
	COMPLETE(m, hidden_size, s->net.hidden_size);
	COMPLETE(m, num_heads, s->net.num_heads);
	COMPLETE(m, vocab_size, s->net.vocab_size);
	COMPLETE(m, batch_size, s->division.mbs);
	COMPLETE(m, model_parallel, s->division.tp * s->division.cp);
	COMPLETE(m, intermediate_size, s->net.ffn_size);
}

struct memsplit_answer
answer_new(const struct input *in, const struct split *s, const char *name)
{
	struct memsplit_answer a = { 0 };
	const struct record *model = stream_model(&in->stream);
	int constant = system_unknown(s->system, 0, UNKNOWN_CONSTANT);

	if (model != NULL) {
		a.model = model->model;
		if (a.model.overhead.n > 0)
			a.model.overhead = list_copy(a.model.overhead);
		if (a.model.overhead_early.n > 0)
			a.model.overhead_early = list_copy(a.model.overhead_early);
	}
	run_overhead(&a.model, in);
	take_batch(&a.model, in);
	take_sizes(&a.model, in);
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++) {
		int before = a.n;

		take_layers(&a, &in->stream, (enum layer_type)type);
		if (a.n == before)
			make_layers(&a, in, &s->system->bodies, (enum layer_type)type);
	}
	for (int i = 0; i < a.n && name == NULL && model == NULL; i++)
		if (GIVEN(layer, a.layer[i], model_name))
			name = a.layer[i]->model_name;
	a.model.name = xstrdup(name != NULL ? name : model != NULL ? model->model.name : "model");
	if (s->solved[constant])
		GIVE(model, &a.model, stage_const_mem, s->value[constant]);
	for (int i = 0; i < a.n; i++) {
		free(a.layer[i]->model_name);
		GIVE(layer, a.layer[i], model_name, xstrdup(a.model.name));
	}
	set_memory(&a, s);
	return a;
}

void
memsplit_answer_free(struct memsplit_answer *a)
{
	for (int i = 0; i < a->n; i++) {
		fields_free(&layer_fields, a->layer[i]);
		free(a->layer[i]);
	}
	free(a->layer);
	fields_free(&model_fields, &a->model);
}
