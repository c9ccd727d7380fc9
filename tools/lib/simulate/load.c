#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/model/offload.h"
#include "lib/model/weights.h"
#include "lib/schedule/schedule.h"

static struct load
load_new(int chunks, int stages)
{
	return (struct load){
		.chunks = chunks,
		.stages = stages,
		.forward = table_new(chunks, stages),
		.backward = table_new(chunks, stages),
		.plain = table_new(chunks, stages),
		.weight = table_new(chunks, stages),
		.activation = table_new(chunks, stages),
		.kept = table_new(chunks, stages),
		.transient = table_new(chunks, stages),
		.fixed = list_new(stages),
		.together = 1,
	};
}

static struct table
mirrored(struct table t)
{
	struct table both = table_new(2, t.stages);

	for (int s = 0; s < t.stages; s++) {
		both.at[s] = t.at[s];
		both.at[t.stages + s] = t.at[t.stages - 1 - s];
	}
	free(t.at);
	return both;
}

/*
 * For schedules with two copies of the model, one from each end: each stage also holds the piece of the opposite stage.
 */
static void
mirror(struct load *l, double constant)
{
	struct list fixed = list_new(l->stages);

	for (int s = 0; s < l->stages; s++)
		fixed.at[s] = l->fixed.at[s] + l->fixed.at[l->stages - 1 - s] - constant;
	free(l->fixed.at);
	l->fixed = fixed;
	if (l->floor.n > 0) {
		struct list sums = list_new(l->stages);

		for (int s = 0; s < l->stages; s++)
			sums.at[s] = l->floor.at[s] + l->floor.at[l->stages - 1 - s];
		free(l->floor.at);
		l->floor = sums;
	}
	l->forward = mirrored(l->forward);
	l->backward = mirrored(l->backward);
	l->plain = mirrored(l->plain);
	l->weight = mirrored(l->weight);
	l->activation = mirrored(l->activation);
	l->kept = mirrored(l->kept);
	l->transient = mirrored(l->transient);
	l->chunks = 2;
}

struct load
load_from_chunks(const struct chunks *c)
{
	struct load l = load_new(c->forward.chunks, c->forward.stages);
	int q = c->seq_split > 1 ? c->seq_split : 1;

	for (int v = 0; v < l.chunks; v++)
		for (int s = 0; s < l.stages; s++) {
			size_t i = (size_t)v * (size_t)l.stages + (size_t)s;
			double ratio = c->backward_ratio.at ? table_get(c->backward_ratio, v, s) : 2;

			l.forward.at[i] = table_get(c->forward, v, s) / q;
			l.plain.at[i] =
			    c->backward.at ? table_get(c->backward, v, s) / q : ratio * l.forward.at[i];
			l.backward.at[i] =
			    l.plain.at[i] + (c->recompute.at ? table_get(c->recompute, v, s) / q : 0);
			l.weight.at[i] = c->weight.at ? table_get(c->weight, v, s) / q : l.plain.at[i] / 2;
			l.activation.at[i] = c->activation.at ? table_get(c->activation, v, s) / q : 0;
			l.kept.at[i] = c->weight_activation.at ? table_get(c->weight_activation, v, s) / q
			    : l.activation.at[i];
			l.transient.at[i] = c->transient.at ? table_get(c->transient, v, s) / q : 0;
		}
	for (int s = 0; s < l.stages; s++)
		l.fixed.at[s] = c->constant + (c->parameter.n ? list_get(c->parameter, s) : 0);
	if (GIVEN(chunks, c, overlap))
		l.together = c->overlap;
	load_delay_set(&l, c->comm_time);
	l.transfers = (enum transfer_mode)c->transfers;
	l.send[0] = list_copy(c->send_delay_forward);
	l.send[1] = list_copy(c->send_delay_backward);
	l.post = c->post_time;
	if (c->overhead.n > 0)
		l.overhead = list_copy(c->overhead);
	if (c->overhead_early.n > 0)
		l.early = list_copy(c->overhead_early);
	l.factor[0] = load_factor(c->forward_factor, c->micro_batches, q);
	l.factor[1] = load_factor(c->backward_factor, c->micro_batches, q);
	if (schedule_mirrored((enum schedule_kind)c->schedule))
		mirror(&l, c->constant);
	return l;
}

/* Return the plan's counts for the layers of a body, or NULL. */
static const struct body_counts *
counts_of(const struct plan *p, const struct body *b)
{
	const struct array *all = b->side == 0 ? &p->counts : &p->ends;
	const struct body_counts *counts = all->at;

	for (int i = 0; i < all->n; i++)
		if (strcmp(counts[i].name, b->name) == 0)
			return &counts[i];
	return NULL;
}

/*
 * Return how many layers of body B on a piece have a kind of recomputation. HEAD and TAIL layers that the plan does not
 * name are on the first and the last piece.
 */
static int
layers_at(const struct plan *p, const struct body *b, int kind, int piece, const int *order)
{
	const struct body_counts *c = counts_of(p, b);
	int pieces = p->interleave * p->offset.stages;

	if (c != NULL)
		return c->kind[kind].at == NULL ? 0 : c->kind[kind].at[piece];
	return b->side != 0 && kind == RECOMPUTE_NONE && piece == order[b->side < 0 ? 0 : pieces - 1] ? b->layers : 0;
}

int
load_layers(const struct plan *p, const struct body *b, int piece, const int *order)
{
	int n = 0;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		n += layers_at(p, b, k, piece, order);
	return n;
}

/*
 * Check that every layer of a body is placed, and that no layer is before the piece *BEHIND in model order. Set *BEHIND
 * to the last piece with layers of the body.
 */
static void
check_body(const struct plan *p, const struct network *net, const struct body *b, const int *order, int *behind,
    struct place at)
{
	const struct body_counts *c = counts_of(p, b);
	int sum = 0, pieces = p->interleave * p->offset.stages;

	if (c == NULL && b->side == 0)
		place_die(at, "plan: '%s' has no counts for the layer '%s'", p->name, b->name);
	if (net->splits > 1 && c != NULL && c->kind[RECOMPUTE_FULL].at != NULL && grid_sum(c->kind[RECOMPUTE_FULL]) > 0)
		place_die(at, "plan: '%s' recomputes whole layers, which sequence splits do not allow", p->name);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (b->side != 0 && c != NULL && k != RECOMPUTE_NONE && c->kind[k].at != NULL)
			place_die(at, "plan: '%s' recomputes '%s', which is not a BODY layer", p->name, b->name);
	for (int k = 0; k < RECOMPUTE_KINDS && net->link == 0; k++)
		if (b->offload[k] > 0 && c != NULL && c->kind[k].at != NULL && grid_sum(c->kind[k]) > 0)
			place_die(at, "plan: '%s' offloads with '%s', but no offload speed is in the pipeline record "
			    "or in -offload", p->name, recompute_names[k]);
	for (int i = 0; i < pieces; i++)
		sum += load_layers(p, b, i, order);
	if (sum != b->layers)
		place_die(at, "plan: '%s' places %d of the %d layers '%s'", p->name, sum, b->layers, b->name);
	for (int i = 0; i < *behind; i++)
		if (load_layers(p, b, order[i], order) > 0)
			place_die(at, "plan: '%s' has layers '%s' before layers that come earlier in the model",
			    p->name,
			    b->name);
	for (int i = *behind; i < pieces; i++)
		if (load_layers(p, b, order[i], order) > 0)
			*behind = i;
}

/* Exit, naming AT, if the plan places a HEAD or TAIL layer that is unknown to the model, or bound in it. */
static void
check_ends(const struct plan *p, const struct network *net, struct place at)
{
	const struct body_counts *ends = p->ends.at;

	for (int i = 0; i < p->ends.n; i++) {
		bool known = false;

		for (int b = 0; b < net->nbodies; b++)
			known |= net->body[b].side != 0 && strcmp(net->body[b].name, ends[i].name) == 0;
		/* A target may have bound the layer to the first or last piece; it is then in net->outer. */
		for (int o = 0; o < net->nouter; o++)
			known |= strcmp(net->outer[o].name, ends[i].name) == 0;
		if (!known)
			place_die(at, "plan: '%s' places '%s', which is not a HEAD or TAIL layer with bound false",
			    p->name, ends[i].name);
	}
}

void
load_check(const struct plan *p, const struct network *net, const struct shape *q, struct place at)
{
	int bodies = 0, behind = 0, *piece;
	const char *problem = schedule_problem(q);

	if (p->offset.stages != q->stages)
		place_die(at, "plan: '%s' has %d stages, but the pipeline has %d", p->name, p->offset.stages,
		    q->stages);
	if (problem != NULL)
		place_die(at, "'%s': %s", p->name, problem);
	for (int b = 0; b < net->nbodies; b++)
		bodies += net->body[b].side == 0;
	if (p->counts.n > bodies)
		place_die(at, "plan: '%s' counts %d BODY layers, but the model has %d", p->name, p->counts.n, bodies);
	check_ends(p, net, at);
	piece = schedule_pieces(q);
	for (int b = 0; b < net->nbodies; b++)
		check_body(p, net, &net->body[b], piece, &behind, at);
	free(piece);
}

void
load_check_measured(const struct plan *p, const struct network *net, struct place at)
{
	for (int b = 0; b < net->nbodies; b++) {
		const struct body *body = &net->body[b];
		const struct body_counts *c = counts_of(p, body);

		for (int k = 0; c != NULL && body->measured != 0 && k < RECOMPUTE_KINDS; k++)
			if (c->kind[k].at != NULL && grid_sum(c->kind[k]) > 0 && (body->measured & 1u << k) == 0)
				place_die(at, "'%s': %d layers '%s' with recomputation '%s', whose memory was not "
				    "measured: measure it (sapp-guide -k), or use other kinds", p->name,
				    grid_sum(c->kind[k]), body->name, recompute_names[k]);
	}
}

/*
 * Return the ms that the host link needs for a micro-batch of a piece, in excess of its forward. PACE: factor of the
 * stage's times.
 */
static double
link_time(const struct plan *p, const struct network *net, int piece, const int *order, double pace)
{
	double sum = 0;

	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			sum += layers_at(p, &net->body[b], k, piece, order) * offload_link(net, &net->body[b], k, pace);
	return sum;
}

struct load
load_from_plan(const struct plan *p, const struct network *net, const struct shape *q,
    const struct devices *devices)
{
	struct load l = load_new(p->interleave, p->offset.stages);
	int pieces = l.chunks * l.stages, *piece = schedule_pieces(q), first = piece[0], last = piece[pieces - 1];

	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			const struct body *body = &net->body[b];

			for (int i = 0; i < pieces; i++) {
				int n = layers_at(p, body, k, i, piece);
				double pace = devices_pace(devices, i % l.stages), kept;

				if (n == 0)
					continue;
				kept = offload_activation(net, body, k, pace);
				l.forward.at[i] += n * body->forward;
				l.backward.at[i] += n * body->backward[k];
				l.plain.at[i] += n * body->backward[RECOMPUTE_NONE];
				l.activation.at[i] += n * kept;
				l.fixed.at[i % l.stages] += n * body->parameter;
				if (body->floor > 0 && l.floor.n == 0)
					l.floor = list_new(l.stages);
				if (body->floor > 0)
					l.floor.at[i % l.stages] += n * body->floor;
				l.weight.at[i] += n * body_kind_weight(body, k);
				l.kept.at[i] += n * (net->keeps ? body->kept + body->kept_more[k] : kept);
				l.transient.at[i] = fmax(l.transient.at[i], body->transient);
			}
		}
	/* The backward of a piece that offloads waits for the link. */
	for (int i = 0; i < pieces && net->link > 0; i++)
		l.backward.at[i] = fmax(l.backward.at[i],
		    link_time(p, net, i, piece, devices_pace(devices, i % l.stages)));
	l.forward.at[first] += net->head.forward;
	l.backward.at[first] += net->head.backward;
	l.plain.at[first] += net->head.backward;
	l.weight.at[first] += end_weight(&net->head);
	l.fixed.at[first % l.stages] += net->head.parameter;
	l.transient.at[first] = fmax(l.transient.at[first], net->head.transient);
	l.forward.at[last] += net->tail.forward;
	l.backward.at[last] += net->tail.backward;
	l.plain.at[last] += net->tail.backward;
	l.weight.at[last] += end_weight(&net->tail);
	l.fixed.at[last % l.stages] += net->tail.parameter;
	l.transient.at[last] = fmax(l.transient.at[last], net->tail.transient);
	for (int s = 0; s < l.stages; s++)
		l.fixed.at[s] += net->constant;
	load_delay_set(&l, devices->delay);
	l.transfers = devices->transfers;
	l.together = devices_overlap(devices);
	if (net->model != NULL && net->model->overhead.n > 0)
		l.overhead = list_copy(net->model->overhead);
	if (net->model != NULL && net->model->overhead_early.n > 0)
		l.early = list_copy(net->model->overhead_early);
	if (schedule_mirrored(q->kind))
		mirror(&l, net->constant);
	load_speed_set(&l, devices->speed);
	free(piece);
	return l;
}

struct load
load_even(const struct network *net, const struct shape *q,
    const struct devices *devices)
{
	struct load l = load_new(q->chunks, q->stages);
	double forward = net->head.forward + net->tail.forward, backward = net->head.backward + net->tail.backward;
	double weight = end_weight(&net->head) + end_weight(&net->tail);
	int pieces = l.chunks * l.stages;

	for (int b = 0; b < net->nbodies; b++) {
		forward += net->body[b].layers * net->body[b].forward;
		backward += net->body[b].layers * net->body[b].backward[RECOMPUTE_NONE];
		weight += net->body[b].layers * body_kind_weight(&net->body[b], RECOMPUTE_NONE);
	}
	for (int i = 0; i < pieces; i++) {
		l.forward.at[i] = forward / pieces;
		l.backward.at[i] = l.plain.at[i] = backward / pieces;
		l.weight.at[i] = weight / pieces;
		l.activation.at[i] = l.kept.at[i] = 1;
	}
	load_delay_set(&l, devices->delay);
	l.transfers = devices->transfers;
	load_speed_set(&l, devices->speed);
	return l;
}

void
load_delay_set(struct load *l, struct list delay)
{
	free(l->edge.at);
	l->edge = (struct list){ 0 };
	l->comm = delay.n == 1 ? delay.at[0] : 0;
	if (delay.n > 1)
		l->edge = list_copy(delay);
}

void
load_speed_set(struct load *l, struct list speed)
{
	struct table times[] = { l->forward, l->backward, l->plain, l->weight };

	for (size_t t = 0; t < sizeof times / sizeof times[0]; t++)
		for (int i = 0; i < l->chunks * l->stages && speed.n > 0; i++)
			times[t].at[i] /= list_get(speed, i % l->stages);
}

struct table
load_factor(struct table t, int micro, int splits)
{
	struct table all;

	if (t.at == NULL)
		return t;
	all = table_new(t.chunks, micro * splits);
	for (int i = 0; i < all.chunks * all.stages; i++)
		all.at[i] = t.stages == 1 ? t.at[i / all.stages] : t.at[i / splits];
	return all;
}

double
load_transient(const struct load *l, int chunk, int stage)
{
	return l->transient.at == NULL ? 0 : table_get(l->transient, chunk, stage);
}

const double *
load_factors(const struct load *l, int stage, struct op op)
{
	const struct table *t = &l->factor[op.phase == PHASE_F ? 0 : 1];
	size_t piece = t->chunks > 1 ? (size_t)op.chunk * (size_t)l->stages + (size_t)stage : 0;

	return t->at == NULL ? NULL : t->at + piece * (size_t)t->stages;
}

/*
 * Return the entry of EDGE for the boundary between two stages. The last entry is for the boundary from the last stage
 * to the first.
 */
static double
across(const struct load *l, struct list edge, int from, int to)
{
	int at = abs(from - to) > 1 ? l->stages - 1 : from < to ? from : to;

	if (from == to || edge.n == 0)
		return 0;
	return edge.n == 1 ? edge.at[0] : at < edge.n ? edge.at[at] : 0;
}

double
load_delay(const struct load *l, int from, int to)
{
	if (l->edge.n > 0)
		return across(l, l->edge, from, to);
	return from == to ? 0 : l->comm;
}

double
load_send_delay(const struct load *l, int from, int to, enum phase phase)
{
	return across(l, l->send[phase != PHASE_F], from, to);
}

double
load_arrival(const struct load *l, int from, int to, struct op op)
{
	return load_delay(l, from, to) + load_send_delay(l, from, to, (enum phase)op.phase);
}

bool
load_delayed(const struct load *l)
{
	return l->comm > 0 || l->post > 0 || list_any(l->edge) || list_any(l->send[0]) || list_any(l->send[1]);
}

struct load
load_undelayed(const struct load *l)
{
	struct load still = *l;

	still.comm = still.post = 0;
	still.edge.n = still.send[0].n = still.send[1].n = 0;
	return still;
}

void
load_free(struct load *l)
{
	free(l->forward.at);
	free(l->backward.at);
	free(l->plain.at);
	free(l->weight.at);
	free(l->activation.at);
	free(l->kept.at);
	free(l->transient.at);
	free(l->edge.at);
	free(l->send[0].at);
	free(l->send[1].at);
	free(l->floor.at);
	free(l->fixed.at);
	free(l->overhead.at);
	free(l->early.at);
	free(l->factor[0].at);
	free(l->factor[1].at);
	*l = (struct load){ 0 };
}
