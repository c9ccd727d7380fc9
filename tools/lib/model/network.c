/* Network: the layers of a model with every default filled in. */
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/*
 * Backward of a kind: as given, or (1 + coefficient) x the backward without recomputation, which is 2 x time
 * unless it was measured. Of a measured one nobody knows how it compares with the forward: a kind without figures of
 * its own takes its share of the forward again, in which the host does not keep the device waiting. sapp-record(5).
 */
static double
backward(const struct layer *l, enum recompute k)
{
	double forward = GIVEN(layer, l, forward_time) ? l->forward_time : l->time;
	double busy = GIVEN(layer, l, busy_time) && l->busy_time < forward ? l->busy_time : forward;
	struct kind_figures of = layer_figures(l, (int)k), plain = layer_figures(l, RECOMPUTE_NONE);
	double coef = GIVEN(kind_figures, &of, backward_coef) ? of.backward_coef : recompute_default_coef[k];
	double twice = 2 * (GIVEN(layer, l, time) ? l->time : l->forward_time);

	if (GIVEN(kind_figures, &of, backward_time))
		return of.backward_time;
	if (!GIVEN(kind_figures, &plain, backward_time))
		return (1 + coef) * twice;
	if (GIVEN(kind_figures, &of, backward_coef))
		return (1 + coef) * plain.backward_time;
	return plain.backward_time + recompute_default_share[k] * busy;
}

static void
add_end(struct end *e, const struct layer *l)
{
	e->forward += l->nb_layer * (GIVEN(layer, l, forward_time) ? l->forward_time : l->time);
	e->backward += l->nb_layer * backward(l, RECOMPUTE_NONE);
	e->parameter += l->nb_layer * l->memory_parameter;
	e->transient = fmax(e->transient, l->memory_transient);
}

static void
add_body(struct network *net, const struct layer *l, struct place at)
{
	struct body *b;
	bool any = false;

	net->body = xreallocarray(net->body, (size_t)net->nbodies + 1, sizeof *net->body);
	b = &net->body[net->nbodies++];
	*b = (struct body){ .name = l->name, .layers = l->nb_layer, .parameter = l->memory_parameter,
	    .transient = l->memory_transient };
	b->forward = GIVEN(layer, l, forward_time) ? l->forward_time : l->time;
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct kind_figures of = layer_figures(l, k);

		/* Nothing at all is kept by those of other names only if they say so. */
		b->has[k] = GIVEN(kind_figures, &of, activation) && (of.activation > 0 || k >= RECOMPUTE_BUILT_IN);
		b->activation[k] = of.activation;
		b->backward[k] = backward(l, (enum recompute)k);
		any |= b->has[k];
	}
	/* Without any memory figure a layer can only be kept whole. */
	if (!any)
		b->has[RECOMPUTE_NONE] = true;
	for (int i = 0; i + 1 < net->nbodies; i++)
		if (strcmp(net->body[i].name, b->name) == 0)
			place_die(at, "layer: two BODY layers are called '%s'", b->name);
	net->layers += b->layers;
}

/* The model that a record names itself, or NULL. */
static const char *
model_of(const struct record *r)
{
	if (r->kind == RECORD_MODEL)
		return r->model.name;
	return r->kind == RECORD_LAYER && GIVEN(layer, &r->layer, model_name) ? r->layer.model_name : NULL;
}

/* Two models in a stream: say which there are, so that one can be chosen. Several records may be of one model. */
static void
one_model(const struct records *all, const char *name)
{
	const char *first[RECORD_FOREIGN] = { NULL };	/* by kind: layers and model may use different names */

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];
		const char *of = model_of(r);

		if (of == NULL || (name != NULL && (strcmp(of, name) != 0 || r->kind == RECORD_LAYER)))
			continue;
		if (first[r->kind] != NULL && (r->kind == RECORD_MODEL || strcmp(of, first[r->kind]) != 0))
			place_die(r->place, "%s: a second model '%s' after '%s'; choose one with -m",
			    r->kind == RECORD_MODEL ? "model" : "layer", of, first[r->kind]);
		first[r->kind] = of;
	}
}

struct network
network_from_records(const struct records *all, const char *name)
{
	struct network net = { 0 };
	const struct model *current = NULL;
	struct place nowhere = { .source = all->n > 0 ? all->at[0].place.source : all->source };

	one_model(all, name);
	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];

		if (r->kind == RECORD_MODEL)
			current = &r->model;
		if (r->kind != RECORD_MODEL && r->kind != RECORD_LAYER)
			continue;
		if (name != NULL) {
			const char *of = model_of(r);

			if (of == NULL && current != NULL)
				of = current->name;
			if (of == NULL || strcmp(of, name) != 0)
				continue;
		}
		if (net.place.source == NULL)
			net.place = r->place;
		if (r->kind == RECORD_MODEL) {
			net.model = &r->model;
			net.name = r->model.name;
			net.constant = r->model.stage_const_mem;
			continue;
		}
		if (!GIVEN(layer, &r->layer, time) && !GIVEN(layer, &r->layer, forward_time))
			place_die(r->place, "layer: '%s' has no time: pipe the layer records of sapp-trace into "
			    "sapp-memsplit, or give it a time_config", r->layer.name);
		if (net.name == NULL && GIVEN(layer, &r->layer, model_name))
			net.name = r->layer.model_name;
		switch ((enum layer_type)r->layer.type) {
		case LAYER_HEAD:
			add_end(&net.head, &r->layer);
			break;
		case LAYER_TAIL:
			add_end(&net.tail, &r->layer);
			break;
		case LAYER_BODY:
			add_body(&net, &r->layer, r->place);
			break;
		}
	}
	net.nesting = xcalloc(1, sizeof *net.nesting);
	*net.nesting = nesting_of(all);
	if (net.nbodies == 0 && name != NULL)
		place_die(nowhere, "no layer record of type BODY for the model '%s'", name);
	if (net.nbodies == 0)
		place_die(nowhere, "no layer record of type BODY in the input");
	if (net.name == NULL)
		net.name = "model";
	return net;
}

void
network_keep_said(struct network *net)
{
	unsigned said = net->nesting != NULL ? net->nesting->said : nesting_built_in.said, silent = 0;

	for (int b = 0; b < net->nbodies; b++) {
		struct body *body = &net->body[b];
		bool any = false;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			if (body->has[k] && !(said >> k & 1)) {
				body->has[k] = false;
				silent |= 1u << k;
			}
			any |= body->has[k];
		}
		if (!any)
			place_die(net->place, "layer: '%s' has no kind of recomputation that lists can say: try "
			    "-mixes all", body->name);
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (silent >> k & 1)
			place_warn(net->place, "no kind record says which patterns '%s' stands for: it is not planned "
			    "with, as with -mixes all it would be", recompute_names[k]);
}

static void
split_body(struct body *b, int splits, double kv)
{
	b->forward /= splits;
	b->parameter += 4 * kv;
	b->transient /= splits;
	b->has[RECOMPUTE_FULL] = false;
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		b->backward[k] /= splits;
		if (b->activation[k] > 0)
			b->activation[k] = (b->activation[k] - 2 * kv) / splits + 2 * kv;
	}
}

void
network_split(struct network *net, int splits, struct place at)
{
	const struct model *m = net->model;
	double tokens, hidden, t, kv, loss, part = 1 - 1.0 / splits;

	if (splits <= 1)
		return;
	if (m == NULL || m->seq_length == 0 || m->hidden_size == 0 || m->vocab_size == 0 || m->batch_size == 0 ||
	    m->model_parallel == 0)
		place_die(at, "sequence splits take a model record with seq_length, hidden_size, vocab_size, "
		    "batch_size and model_parallel");
	if (m->model_parallel == 1 && m->intermediate_size == 0)
		place_die(at, "sequence splits without tensor parallelism take a model record with intermediate_size");
	if (m->seq_length / splits < 4096)
		place_warn(at, "%d splits leave %d tokens each: below 4096 the device is not kept busy", splits,
		    m->seq_length / splits);
	tokens = (double)m->batch_size * m->seq_length / (1 << 20);	/* bytes become MB */
	hidden = m->hidden_size;
	t = m->model_parallel;
	kv = 2 * tokens * hidden / t;
	loss = 4 * tokens * m->vocab_size / t;
	for (int b = 0; b < net->nbodies; b++)
		split_body(&net->body[b], splits, kv);
	net->head.parameter -= part * (t > 1 ? 2 * kv + 2 * tokens * hidden : kv + 2 * tokens * m->intermediate_size);
	/* What is said to be transient is no parameter. */
	if (net->tail.transient == 0)
		net->tail.parameter -= 3 * part * loss - part * loss;
	net->head.transient /= splits;
	net->tail.transient /= splits;
	net->head.forward /= splits;
	net->head.backward /= splits;
	net->tail.forward /= splits;
	net->tail.backward /= splits;
	net->splits = splits;
}

void
network_free(struct network *net)
{
	free(net->body);
	free(net->nesting);
	*net = (struct network){ 0 };
}

bool
network_transient(const struct network *net)
{
	bool any = net->head.transient > 0 || net->tail.transient > 0;

	for (int b = 0; b < net->nbodies; b++)
		any |= net->body[b].transient > 0;
	return any;
}

double
body_least_activation(const struct body *b)
{
	double least = INFINITY;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (b->has[k])
			least = fmin(least, b->activation[k]);
	return least;
}
