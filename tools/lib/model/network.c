#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "weights.h"

/* Return the ms of a forward. Its default is "time". */
static double
forward_of(const struct layer *l)
{
	return GIVEN(layer, l, forward_time) ? l->forward_time : l->time;
}

/*
 * Return the ms of the backward under a kind. Unless given, it is (1 + coefficient) x the backward without
 * recomputation, whose default is 2 x time. If a backward was measured, its ratio to the forward is unknown. A kind
 * without figures then runs its fraction of the forward again. During that time the host does not delay the device. See
 * sapp-record(5).
 */
static double
backward(const struct layer *l, enum recompute k)
{
	double forward = forward_of(l);
	double busy = GIVEN(layer, l, busy_time) && l->busy_time < forward ? l->busy_time : forward;
	struct kind_figures of = layer_figures(l, (int)k), plain = layer_figures(l, RECOMPUTE_NONE);
	double coef = GIVEN(kind_figures, &of, backward_coef) ? of.backward_coef :
	    k < RECOMPUTE_BUILT_IN ? recompute_default_coef[k] : plain.backward_coef;
	double twice = 2 * (GIVEN(layer, l, time) ? l->time : l->forward_time);

	if (GIVEN(kind_figures, &of, backward_time))
		return of.backward_time;
	if (!GIVEN(kind_figures, &plain, backward_time))
		return (1 + coef) * twice;
	if (GIVEN(kind_figures, &of, backward_coef))
		return (1 + coef) * plain.backward_time;
	return plain.backward_time + recompute_default_share[k] * busy;
}

/* Combine the error of layers that take FORWARD ms with the error of the end: a mean weighted by time. */
static void
add_error(struct end *e, double forward, double error)
{
	double all = e->forward + forward;

	e->error = all > 0 ? (e->error * e->forward + error * forward) / all : 0;
	e->forward = all;
}

static void
add_end(struct end *e, const struct layer *l, struct place at)
{
	double plain = backward(l, RECOMPUTE_NONE);

	e->there = true;
	/* Without a figure, weight gradients take half of a layer's backward. */
	e->weight = end_weight(e) +
	    l->nb_layer * (GIVEN(layer, l, weight_time) ? weights_time(l, plain, at) : plain / 2);
	e->weighed |= GIVEN(layer, l, weight_time);
	add_error(e, l->nb_layer * forward_of(l), l->time_error);
	e->backward += l->nb_layer * plain;
	e->parameter += l->nb_layer * l->memory_parameter;
	e->transient = fmax(e->transient, l->memory_transient);
}

static void
add_body(struct network *net, const struct layer *l, struct place at)
{
	struct body *b;
	bool any = false, timed;

	b = APPEND(net->body, net->nbodies);
	*b = (struct body){ .name = l->name, .layers = l->nb_layer, .parameter = l->memory_parameter,
	    .transient = l->memory_transient, .floor = l->memory_floor, .error = l->time_error };
	b->forward = forward_of(l);
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct kind_figures of = layer_figures(l, k);

		/* A kind with another name may keep nothing. A built-in kind with activation 0 does not exist. */
		b->has[k] = GIVEN(kind_figures, &of, activation) && (of.activation > 0 || k >= RECOMPUTE_BUILT_IN);
		b->activation[k] = of.activation;
		b->measured |= GIVEN(kind_figures, &of, activation) ? 1u << k : 0;
		b->offload[k] = of.offload;
		b->backward[k] = backward(l, (enum recompute)k);
		any |= b->has[k];
		timed = GIVEN(kind_figures, &of, backward_time) || GIVEN(kind_figures, &of, backward_coef);
		if (!b->has[k] && (k == RECOMPUTE_NONE || timed || GIVEN(kind_figures, &of, activation)))
			b->dropped |= 1u << k;
	}
	/* Without figures for memory, a layer cannot be recomputed. */
	if (!any) {
		b->has[RECOMPUTE_NONE] = true;
		b->dropped &= ~(1u << RECOMPUTE_NONE);
	}
	weights_set(net, b, l, at);
	for (int i = 0; i + 1 < net->nbodies; i++)
		if (strcmp(net->body[i].name, b->name) == 0)
			place_die(at, "layer: two %s layers have the same name '%s'",
			    l->type == LAYER_BODY ? "BODY" : "unbound", b->name);
	net->layers += b->layers;
}

static bool
is_free(const struct layer *l)
{
	return l->type != LAYER_BODY && GIVEN(layer, l, bound) && !l->bound;
}

/* Add a HEAD or TAIL layer that is not bound. */
static void
add_free(struct network *net, const struct layer *l, struct place at)
{
	struct body *b;

	add_body(net, l, at);
	b = &net->body[net->nbodies - 1];
	b->side = l->type == LAYER_HEAD ? -1 : 1;
	net->free_ends += b->layers;
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		b->has[k] = k == RECOMPUTE_NONE;
	b->kept = b->activation[RECOMPUTE_NONE];
}

static void
add_layer(struct network *net, const struct layer *l, struct place at)
{
	if (is_free(l))
		add_free(net, l, at);
	else if (l->type == LAYER_BODY)
		add_body(net, l, at);
	else
		add_end(l->type == LAYER_HEAD ? &net->head : &net->tail, l, at);
}

/*
 * Check that no unbound layer is between bound layers and BODY layers. SEEN: [type][unbound], layers before this one.
 */
static void
check_bound(const struct layer *l, bool seen[][2], struct place at)
{
	seen[l->type][is_free(l)] = true;
	if (seen[l->type][0] && seen[l->type][1])
		place_die(at, "layer: '%s' is %sbound, but other %s layers are%s: bind all of them or none", l->name,
		    is_free(l) ? "not " : "", l->type == LAYER_HEAD ? "HEAD" : "TAIL", is_free(l) ? "" : " not");
}

/* Sort the bodies into model order: HEAD, BODY, TAIL, each in the order of records (insertion sort). */
static void
put_in_order(struct network *net)
{
	for (int b = 1; b < net->nbodies; b++) {
		struct body moved = net->body[b];
		int at = b;

		for (; at > 0 && net->body[at - 1].side > moved.side; at--)
			net->body[at] = net->body[at - 1];
		net->body[at] = moved;
	}
}

/*
 * Return the number of unbound layers of a side that must be on the first or last piece. Such layers of the tail are
 * the last ones of the model.
 */
static int
outer_layers(const struct network *net, int side)
{
	int n = 0, first = 0;

	for (int b = 0; b < net->nbodies && net->at_ends; first += net->body[b++].layers)
		if (net->body[b].side == side && (n > 0 || first < net->predict_from || first >= net->predict_to))
			n += net->body[b].layers;
	return n;
}

int
network_fewest(const struct network *net, int position, int pieces)
{
	int outer = (position == 0 ? outer_layers(net, -1) : 0) + (position == pieces - 1 ? outer_layers(net, 1) : 0);
	bool end = outer > 0 || (position == 0 && net->head.there) || (position == pieces - 1 && net->tail.there);

	return outer + (end ? !net->alone : !net->empty);
}

int
network_needed(const struct network *net, int pieces)
{
	int n = 0;

	for (int i = 0; i < pieces; i++)
		n += network_fewest(net, i, pieces);
	return n;
}

int
network_most(const struct network *net, int pieces)
{
	int needed = network_needed(net, pieces), own = 0;

	for (int i = 0; i < pieces; i++)
		own = network_fewest(net, i, pieces) > own ? network_fewest(net, i, pieces) : own;
	return net->layers - (needed - own);
}

int
network_body_layers(const struct network *net)
{
	return net->layers - net->free_ends;
}

void
network_bind(struct network *net, bool (*kept)(const char *name))
{
	int n = 0, left = 0;
	bool keeps[2] = { false };

	for (int i = 0; i < net->nbodies; i++)
		if (net->body[i].side != 0)
			keeps[net->body[i].side > 0] |= net->body[i].activation[RECOMPUTE_NONE] > 0;

	for (int i = 0; i < net->nbodies; i++) {
		const struct body *b = &net->body[i];
		struct end *e = b->side < 0 ? &net->head : &net->tail;

		if (b->side == 0 || keeps[b->side > 0] || (kept != NULL && kept(b->name))) {
			left += b->side != 0 ? b->layers : 0;
			net->body[n++] = *b;
			continue;
		}
		*APPEND(net->outer, net->nouter) = (struct outer){ b->name, b->side, b->layers };
		e->there = true;
		e->weight = end_weight(e) + b->layers * body_weight(b);
		e->weighed |= b->weighed;
		add_error(e, b->layers * b->forward, b->error);
		e->backward += b->layers * b->backward[RECOMPUTE_NONE];
		e->parameter += b->layers * b->parameter;
		e->transient = fmax(e->transient, b->transient);
		net->layers -= b->layers;
	}
	net->nbodies = n;
	net->free_ends = left;
}

/* Return the name of the model that a record belongs to, or NULL. */
static const char *
model_of(const struct record *r)
{
	if (r->kind == RECORD_MODEL)
		return r->model.name;
	return r->kind == RECORD_LAYER && GIVEN(layer, &r->layer, model_name) ? r->layer.model_name : NULL;
}

/* Exit, with a list of names, if the stream has several models. One model may have several records. */
static void
one_model(const struct records *all, const char *name)
{
	/* by kind of record, since layers and models may have different names */
	const char *first[RECORD_FOREIGN] = { NULL };

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
	bool seen[3][2] = { { false } };
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
			    "sapp-memsplit, or write a time_config%s", r->layer.name, r->layer.type == LAYER_BODY ? ""
			    : "; the profile must include the first and the last stage");
		if (net.name == NULL && GIVEN(layer, &r->layer, model_name))
			net.name = r->layer.model_name;
		check_bound(&r->layer, seen, r->place);
		add_layer(&net, &r->layer, r->place);
	}
	put_in_order(&net);
	net.nesting = xcalloc(1, sizeof *net.nesting);
	*net.nesting = nesting_of(all);
	if (network_body_layers(&net) == 0 && name != NULL)
		place_die(nowhere, "no layer record of type BODY for the model '%s'", name);
	if (network_body_layers(&net) == 0)
		place_die(nowhere, "no layer record of type BODY in the input");
	if (net.name == NULL)
		net.name = "model";
	return net;
}

bool
body_forbid(struct body *b, unsigned kinds)
{
	bool any = false;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		b->has[k] &= !(kinds >> k & 1);
		any |= b->has[k];
	}
	return any;
}

/*
 * Forbid all kinds outside the set SAID, with a warning. WHO: the framework that cannot express them; NULL: pattern
 * lists cannot.
 */
static void
keep(struct network *net, unsigned said, const char *who)
{
	unsigned silent = 0;

	for (int b = 0; b < net->nbodies; b++) {
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			silent |= net->body[b].has[k] ? ~said & 1u << k : 0;
		if (!body_forbid(&net->body[b], ~said))
			place_die(net->place, "layer: '%s' has no kind of recomputation that %s can express%s",
			    net->body[b].name, who != NULL ? who : "lists", who == NULL ? ": try -mixes all" : "");
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if ((silent >> k & 1) && who != NULL && k < RECOMPUTE_BUILT_IN)
			place_warn(net->place, "%s has no recomputation '%s': the planner does not use it", who,
			    recompute_names[k]);
		else if (silent >> k & 1)
			place_warn(net->place, "no kind record with %s '%s': the planner does not use it%s",
			    who != NULL ? "the framework's words for" : "patterns for", recompute_names[k],
			    who == NULL ? "; it would with -mixes all" : "");
}

void
network_keep_said(struct network *net)
{
	keep(net, net->nesting != NULL ? net->nesting->said : nesting_built_in.said, NULL);
}

void
network_keep_modules(struct network *net, const char *who, unsigned kinds)
{
	keep(net, kinds, who);
}

/* Return the number of bodies for which IS holds with kind K. Set *FIRST to the first of them. */
static int
count_kind(const struct network *net, int k, bool (*is)(const struct body *, int), const struct body **first)
{
	int n = 0;

	for (int b = net->nbodies - 1; b >= 0; b--)
		if (net->body[b].side == 0 && is(&net->body[b], k)) {
			*first = &net->body[b];
			n++;
		}
	return n;
}

static bool
is_dropped(const struct body *b, int k)
{
	return b->dropped >> k & 1;
}

static bool
is_shorter(const struct body *b, int k)
{
	return b->has[k] && b->backward[k] < b->backward[RECOMPUTE_NONE];
}

void
network_warn(const struct network *net)
{
	const struct body *b = NULL;

	for (int k = 0; k < RECOMPUTE_KINDS && recompute_names[k] != NULL; k++) {
		int n = count_kind(net, k, is_dropped, &b);

		if (n > 0)
			place_warn(net->place, "layer: '%s'%s: memory with '%s' is missing or 0: the planner does not "
			    "use its backward of %.6g ms", b->name, n > 1 ? " and others" : "", recompute_names[k],
			    b->backward[k]);
		n = count_kind(net, k, is_shorter, &b);
		if (n > 0)
			place_warn(net->place, "layer: '%s'%s: a backward with '%s' takes %.6g ms, less than the %.6g "
			    "ms without recomputation", b->name, n > 1 ? " and others" : "", recompute_names[k],
			    b->backward[k], b->backward[RECOMPUTE_NONE]);
	}
}

void
network_free(struct network *net)
{
	free(net->body);
	free(net->nesting);
	free(net->outer);
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

double
body_least_backward(const struct body *b)
{
	double least = INFINITY;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (b->has[k])
			least = fmin(least, b->backward[k]);
	return least;
}

double
body_least_memory(const struct body *b, int live, int held)
{
	double least = INFINITY;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (b->has[k])
			least = fmin(least, b->parameter + live * b->activation[k] +
			    held * (b->kept + b->kept_more[k]));
	return least;
}
