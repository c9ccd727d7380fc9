/* Small random questions, and all their plans, evaluated without the planner's code. */
#ifndef LP_RANDOM_H
#define LP_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "lib/model/offload.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "lib/order/timed_schedule.h"

enum { BODIES = 3, PIECES = 8, SPARE = 4, CHOICES = 64, COUNTS = BODIES * RECOMPUTE_KINDS };

static const double FITS = 1e-7;	/* tolerance over a limit, MB */

struct question {
	uint64_t random;
	struct network net;
	struct body body[BODIES];
	struct shape shape;
	double limit[PIECES], speed[PIECES], delay[PIECES];
	struct devices devices;		/* kinds of the lists, or none */
	bool listed;
	bool ends;			/* unbound head or tail as first or last body */
	bool transient;			/* layers need transient memory */
	bool floors;			/* layers need memory outside the pipeline */
	bool own;			/* stages and boundaries may differ */
	bool wide;			/* large layers, groups, limits that are just reached or missed */
	bool weighs;			/* weight parts of backwards that are not half, and keep other memory */
	bool own_weights, own_kept;	/* each kind of recomputation has its own weight time and memory */
	bool empty;			/* pieces may be without layers */
	bool offloads;			/* some kinds offload */
	double link;			/* MB per ms; 0: no link */
	double kept[BODIES][RECOMPUTE_KINDS];	/* MB of activations, without offloaded ones */
	bool named;			/* kinds of recomputation with other names */
	struct nesting nesting;
	bool digits;			/* times and memory with many digits, some nearly equal; else whole numbers */
	int pieces, piece[PIECES];	/* in the order of the data: chunk * stages + stage */
};

static inline int
below(struct question *q, int n)
{
	return (int)((xorshift_next(&q->random) >> 16) % (uint64_t)n);
}

/* Return a random number below N, whole or with all digits of a double. */
static inline double
amount(struct question *q, int n)
{
	double whole = below(q, n);

	return q->digits ? whole + below(q, 1 << 30) / (double)(1 << 30) : whole;
}

/*
 * Named kinds with these patterns: "wide" has all patterns of "narrow" and more, "side" one of them and another;
 * "loose" has no record.
 */
static const char random_kinds[] =
    "{\"kind\": \"kind\", \"name\": \"narrow\", \"select_recompute\": [\"mul\"]}\n"
    "{\"kind\": \"kind\", \"name\": \"wide\", \"select_recompute\": [\"mul\", \"act\"]}\n"
    "{\"kind\": \"kind\", \"name\": \"side\", \"select_recompute\": [\"mul\"], "
    "\"select_comm_recompute\": [\"gather\"]}\n"
    "{\"kind\": \"kind\", \"name\": \"loose\"}\n";
enum { NARROW_KIND = RECOMPUTE_BUILT_IN, WIDE_KIND, SIDE_KIND, LOOSE_KIND, RANDOM_KINDS };

static inline int
kinds_of(const struct question *q)
{
	return q->named ? RANDOM_KINDS : RECOMPUTE_BUILT_IN;
}

static inline void
read_kinds(struct question *q)
{
	char name[] = "/tmp/lp_random.XXXXXX", *operand[] = { name, NULL };
	struct records all;
	int fd = mkstemp(name);

	if (fd < 0 || write(fd, random_kinds, sizeof random_kinds - 1) < 0)
		abort();
	close(fd);
	records_read(&all, operand, RECORDS(RECORD_KIND));
	unlink(name);
	q->nesting = nesting_of(&all);
	records_free(&all);
}

/* Kinds that are nearly as good as others, in one or both respects. */
static inline void
draw_ties(struct question *q, struct body *l)
{
	for (int k = 1; k < kinds_of(q) && q->digits; k++) {
		double part = pow(10, -3 - below(q, 11)) * (below(q, 3) - 1);

		if (below(q, 3) == 0)
			l->backward[k] = l->backward[k - 1] * (1 + part);
		if (below(q, 3) == 0)
			l->activation[k] = l->activation[k - 1] * (1 - part);
	}
}

/* Unbound head and tail layers, which are not recomputed. */
static inline void
draw_ends(struct question *q)
{
	int last = q->net.nbodies - 1;

	if (last > 0)
		q->body[last].side = below(q, 4) > 0;
	if (last > 0 && (last > 1 || q->body[last].side == 0))
		q->body[0].side = -below(q, 2);
	for (int b = 0; b <= last; b++)
		for (int k = 0; k < RECOMPUTE_KINDS && q->body[b].side != 0; k++)
			q->body[b].has[k] = k == RECOMPUTE_NONE;
}

/* Weight times of each kind of recomputation; some are those of the layer. */
static inline void
draw_own(struct question *q, struct body *l)
{
	double least = INFINITY, weight[RECOMPUTE_KINDS] = { 0 };

	l->weight = l->weighed ? l->weight : l->backward[0] / 2;
	l->weighed = true;
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		weight[k] = below(q, 4) ? fmin(amount(q, 30), l->backward[k]) : l->weight;
		least = l->has[k] ? fmin(least, weight[k]) : least;
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		l->weight_more[k] = weight[k] - least;
		q->net.weighs_kinds |= l->has[k] && weight[k] > least;
	}
	l->weight = least;
}

/* Memory kept for W by each kind of recomputation, often larger for kinds with less activation. */
static inline void
draw_own_kept(struct question *q, struct body *l)
{
	double least = INFINITY, kept[RECOMPUTE_KINDS] = { 0 };

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		int way = below(q, 4);

		kept[k] = way == 0 ? l->kept : way == 1 ? fmax(30 - l->activation[k], 0) : amount(q, 40);
		least = l->has[k] ? fmin(least, kept[k]) : least;
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		l->kept_more[k] = kept[k] - least;
		q->net.keeps_kinds |= l->has[k] && kept[k] > least;
	}
	l->kept = least;
}

/* Weight parts of backwards: times, and memory kept for them, which may exceed the activations. */
static inline void
draw_weights(struct question *q)
{
	q->net.keeps = below(q, 3) > 0 || q->own_kept;
	for (int b = 0; b < q->net.nbodies; b++) {
		struct body *l = &q->body[b];
		double least = INFINITY;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (l->has[k])
				least = fmin(least, l->backward[k]);
		l->weighed = below(q, 3) > 0;
		l->weight = fmin(amount(q, 30), least);
		l->kept = amount(q, 25);
		if (q->own_weights)
			draw_own(q, l);
		if (q->own_kept)
			draw_own_kept(q, l);
	}
}

/* A link, and kinds that use it; it is too slow for some of them. */
static inline void
draw_offload(struct question *q)
{
	for (int b = 0; b < q->net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_BUILT_IN; k++) {
			struct body *l = &q->body[b];

			if (l->side == 0)
				l->has[k] |= below(q, 3) == 0;
			if (l->side == 0 && below(q, 2)) {
				l->offload[k] = amount(q, 40);
				l->activation[k] = amount(q, 8);
			}
			q->kept[b][k] = l->activation[k];
		}
	q->link = 0.5 + amount(q, 8);
}

static inline struct end
draw_end(struct question *q)
{
	struct end e = { .there = true, .forward = amount(q, 10) };

	e.backward = amount(q, 20);
	e.parameter = amount(q, 60);
	return e;
}

static inline void
draw_network(struct question *q)
{
	static const char *const names[BODIES] = { "a", "b", "c" };

	q->net = (struct network){ .name = "random", .constant = below(q, 3) ? 0 : below(q, 41) - 20, .body = q->body,
	    .nbodies = 1 + below(q, 3) * below(q, 2), .empty = q->empty };
	for (int b = 0; b < q->net.nbodies; b++) {
		struct body *l = &q->body[b];
		int kinds = 1 + below(q, 4);

		*l = (struct body){ .name = names[b], .forward = 1 + amount(q, 20), .parameter = amount(q, 40) };
		for (int k = 0; k < kinds_of(q); k++) {
			l->backward[k] = 2 * l->forward + (k > 0 ? amount(q, 20) : amount(q, 5) - 2);
			l->activation[k] = 1 + amount(q, k > 0 ? 20 : 40);
		}
		draw_ties(q, l);
		/* Layers that are much larger than others. */
		for (int k = 0, more = q->wide && below(q, 3) == 0; k < kinds_of(q) && more; k++)
			l->activation[k] *= 10;
		while (kinds-- > 0)
			l->has[below(q, kinds_of(q))] = true;
		if (q->named && q->listed && l->has[LOOSE_KIND]) {
			l->has[LOOSE_KIND] = false;
			l->has[NARROW_KIND] = true;
		}
	}
	if (q->named)
		q->net.nesting = &q->nesting;
	if (q->ends)
		draw_ends(q);
	if (q->offloads)
		draw_offload(q);
	if (q->weighs)
		draw_weights(q);
	if (below(q, 2))
		q->net.head = draw_end(q);
	if (below(q, 2))
		q->net.tail = draw_end(q);
	if (q->weighs && below(q, 2)) {
		q->net.tail.weighed = true;
		q->net.tail.weight = q->net.tail.backward * below(q, 5) / 4;
	}
}

/* The schedule defines how data pass from piece to piece; in these schedules they pass round the stages. */
static inline bool
goes_round(const struct question *q)
{
	return q->shape.kind <= SCHEDULE_VPP_LESS || q->shape.kind == SCHEDULE_ZB_H1 ||
	    q->shape.kind == SCHEDULE_ZB_H2 || q->shape.kind == SCHEDULE_ZB_VPP;
}

/*
 * No delays, one delay, or one for each boundary, with or without the boundary to the first stage; and speeds likewise.
 */
static inline void
draw_devices(struct question *q)
{
	int stages = q->shape.stages, delays = below(q, 3) ? 0 : 1, speeds = 0;

	q->delay[0] = delays > 0 ? amount(q, 8) / 2 : 0;
	if (q->own && below(q, 2)) {
		delays = stages - below(q, 2);
		speeds = below(q, 3) ? stages : 0;
	}
	for (int s = 0; s < stages && delays > 1; s++)
		q->delay[s] = amount(q, 8) / 2;
	for (int s = 0; s < stages; s++)
		q->speed[s] = speeds > 0 ? (1 + below(q, 6)) / 4. : 1;
	for (int s = 0; s < stages / 2 && schedule_mirrored(q->shape.kind); s++) {
		q->delay[stages - 2 - s] = q->delay[s];	/* the middle boundary mirrors itself */
		q->speed[stages - 1 - s] = q->speed[s];
	}
	q->devices = (struct devices){ .speed = { speeds, q->speed }, .delay = { delays, q->delay },
		.overlap = (5 + below(q, 6)) / 10. };
	/* About half of the questions with transfer times get a random mode of transfers. */
	if (delays > 0 && (int)(2 * q->delay[0]) % 2 == 1)
		q->devices.transfers = (enum transfer_mode)(q->random >> 40) % (TRANSFERS_ONE_BY_ONE + 1);
}

static inline void
draw_transients(struct question *q)
{
	if (!q->transient)
		return;
	for (int b = 0; b < q->net.nbodies; b++)
		q->body[b].transient = below(q, 2) ? amount(q, 60) : 0;
	q->net.head.transient = below(q, 3) ? 0 : amount(q, 90);
	q->net.tail.transient = below(q, 3) ? amount(q, 90) : 0;
}

/* Minimum number of layers of the N-th piece in the order of the data: head and tail are not alone. */
static inline int
fewest(const struct question *q, int n)
{
	return !q->empty || (n == 0 && q->net.head.there) || (n == q->pieces - 1 && q->net.tail.there) ? 1 : 0;
}

static inline int
fewest_of_all(const struct question *q)
{
	int sum = 0;

	for (int n = 0; n < q->pieces; n++)
		sum += fewest(q, n);
	return sum;
}

static inline void
draw_question(struct question *q)
{
	int *piece;

	do {
		q->shape = (struct shape){ .kind = (enum schedule_kind)(below(q, 2) ? below(q, SCHEDULE_VPP_LESS + 1)
		    : below(q, SCHEDULE_CUSTOM)), .stages = 2 + below(q, 3),
		    .chunks = 1 + below(q, q->wide ? 3 : 2), .micro = 1 + below(q, 6), .splits = below(q, 6) ? 0 : 2 };
		if (q->weighs && below(q, 3) > 0)
			q->shape.kind = (enum schedule_kind)(SCHEDULE_ZB_H1 + below(q, 6));
		/* few stages, chunks and micro-batches drawn for other schedules are allowed for these */
		if (schedule_mirrored(q->shape.kind))
			q->shape = (struct shape){ .kind = q->shape.kind, .stages = 2 + 2 * below(q, 2), .chunks = 1,
			    .micro = 8 + 2 * below(q, 2) };
		if (q->wide && q->shape.kind == SCHEDULE_VPP && below(q, 2))
			q->shape.group = q->shape.stages + below(q, 5);
	} while (schedule_problem(&q->shape) != NULL || q->shape.stages * q->shape.chunks > PIECES);
	q->pieces = q->shape.stages * q->shape.chunks;
	piece = schedule_pieces(&q->shape);
	memcpy(q->piece, piece, (size_t)q->pieces * sizeof *piece);
	free(piece);
	q->listed = q->named && below(q, 3) > 0;
	draw_network(q);
	q->net.layers = 0;
	for (int b = 0; b < q->net.nbodies; b++)
		q->net.layers += q->body[b].layers = 1 + below(q, 3);
	while (q->net.layers < fewest_of_all(q) || (q->net.layers < q->pieces + SPARE && below(q, 4))) {
		q->body[below(q, q->net.nbodies)].layers++;
		q->net.layers++;
	}
	q->net.free_ends = 0;
	for (int b = 0; b < q->net.nbodies; b++)
		q->net.free_ends += q->body[b].side != 0 ? q->body[b].layers : 0;
	if (!q->named)
		q->listed = below(q, 2);
	draw_devices(q);
	if (q->offloads)
		network_link(&q->net, q->link, q->devices.speed);
	draw_transients(q);
	for (int b = 0; b < q->net.nbodies && q->floors; b++)
		q->body[b].floor = below(q, 3) ? amount(q, 150) : 0;
}

/* A way to recompute the layers of a piece. */
struct choice {
	int count[COUNTS];
};
struct choices {
	int n;
	struct choice at[CHOICES];
};

static inline int
layer_body(const struct question *q, int layer)
{
	int b = 0;

	while (layer >= q->body[b].layers)
		layer -= q->body[b++].layers;
	return b;
}

/*
 * Return whether layers recomputed in these ways may follow one another in a piece, if lists must express it. Each list
 * counts from the first layer: the layers with a pattern are the first layers of the piece, without the head.
 */
static inline bool
sayable(const struct question *q, const int *kind, int first, int n)
{
	/* Patterns of select and comm, mul, act, gather, and full recomputation. */
	static const unsigned patterns[RANDOM_KINDS] = { [RECOMPUTE_FULL] = 63, [RECOMPUTE_BOTH] = 3,
	    [RECOMPUTE_SELECT] = 1, [RECOMPUTE_COMM] = 2, [NARROW_KIND] = 4, [WIDE_KIND] = 12, [SIDE_KIND] = 20 };

	for (int i = 1; i < n; i++)
		if (q->body[layer_body(q, first + i - 1)].side == 0 && patterns[kind[i]] & ~patterns[kind[i - 1]])
			return false;
	return true;
}

/* Return the next kind after K that a layer may have; -1 if none exists. */
static inline int
next_kind(const struct question *q, int layer, int k)
{
	const struct body *b = &q->body[layer_body(q, layer)];

	while (++k < kinds_of(q))
		if (b->has[k])
			return k;
	return -1;
}

/* List all choices for LENGTH layers from FIRST on; return false if they are too many. */
static inline bool
list_choices(const struct question *q, int first, int length, struct choices *c)
{
	int kind[32], i;

	c->n = 0;
	for (i = 0; i < length; i++)
		kind[i] = next_kind(q, first + i, -1);
	for (;;) {
		struct choice new = { .count = { 0 } };
		bool known = false;

		for (i = 0; i < length; i++)
			new.count[layer_body(q, first + i) * RECOMPUTE_KINDS + kind[i]]++;
		for (i = 0; i < c->n; i++)
			known |= memcmp(&c->at[i], &new, sizeof new) == 0;
		if (!known && (!q->listed || sayable(q, kind, first, length))) {
			if (c->n == CHOICES)
				return false;
			c->at[c->n++] = new;
		}
		for (i = 0; i < length && (kind[i] = next_kind(q, first + i, kind[i])) < 0; i++)
			kind[i] = next_kind(q, first + i, -1);
		if (i == length)
			return true;
	}
}

struct piece_load {
	double forward, backward, weight, activation, kept, parameter, transient;
};

static inline struct piece_load
load_of(const struct question *q, const struct choice *c, int stage)
{
	struct piece_load l = { 0 };
	/* ends: ms of HEAD and TAIL layers in the forward and in the backward, during which the link moves nothing */
	double offload = 0, ends[2] = { 0 };
	/* MB that the link moves while the stage computes a layer of 1 ms recorded time */
	double link = q->link / q->speed[stage];

	for (int b = 0; b < q->net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int n = c->count[b * RECOMPUTE_KINDS + k];
			double held = q->body[b].activation[k];

			l.forward += n * q->body[b].forward;
			l.backward += n * q->body[b].backward[k];
			if (q->link > 0) {
				held = q->kept[b][k] + fmax(q->body[b].offload[k] - link * q->body[b].forward, 0);
				offload += n * q->body[b].offload[k];
				ends[0] += q->body[b].side != 0 ? n * q->body[b].forward : 0;
				ends[1] += q->body[b].side != 0 ? n * q->body[b].backward[k] : 0;
			}
			l.activation += n * held;
			l.parameter += n * q->body[b].parameter;
			l.weight += n * (q->body[b].weighed ? q->body[b].weight : q->body[b].backward[0] / 2);
			l.weight += n * q->body[b].weight_more[k];
			l.kept += n * (q->net.keeps ? q->body[b].kept + q->body[b].kept_more[k] : held);
			l.transient = n > 0 ? fmax(l.transient, q->body[b].transient) : l.transient;
		}
	/* The link moves everything out and back while forward and backward run, or the backward waits. */
	if (q->link > 0)
		l.backward = ends[1] + fmax(l.backward - ends[1], 2 * offload / link - (l.forward - ends[0]));
	return l;
}

struct outcome {
	double step, peak[PIECES];
};

static inline double
delay_between(const struct question *q, int from, int to)
{
	int n = q->devices.delay.n, edge = abs(from - to) > 1 ? q->shape.stages - 1 : from < to ? from : to;

	return n == 0 || from == to || (n > 1 && edge >= n) ? 0 : q->delay[n > 1 ? edge : 0];
}

/* Return the MB of a stage outside the pipeline; -INFINITY if unknown. */
static inline double
other_moment(const struct question *q, const struct choice *const chosen[], int stage)
{
	double sum = 0;
	bool any = false;

	for (int b = 0; b < q->net.nbodies; b++)
		any |= q->body[b].floor > 0;
	for (int i = stage; i < q->pieces; i += q->shape.stages)
		for (int c = 0; c < q->net.nbodies * RECOMPUTE_KINDS; c++)
			sum += chosen[i]->count[c] * q->body[c / RECOMPUTE_KINDS].floor;
	return any ? sum : -INFINITY;
}

/* Run the orders of the stages by the rules of dependencies, repeatedly over all stages. */
static inline struct outcome
run_round(const struct question *q, const struct schedule *s, const struct choice *const chosen[])
{
	int stages = q->shape.stages, last = q->pieces - 1;
	double end[2][PIECES][16], clock[PIECES] = { 0 }, live[PIECES] = { 0 };
	struct piece_load load[PIECES];
	size_t next[PIECES];
	struct outcome out = { .step = 0 };

	for (int i = 0; i < q->pieces; i++) {
		load[i] = load_of(q, chosen[i], i % stages);
		for (int m = 0; m < s->micro; m++)
			end[0][i][m] = end[1][i][m] = -1;
	}
	load[0].forward += q->net.head.forward;
	load[0].backward += q->net.head.backward;
	load[last].forward += q->net.tail.forward;
	load[last].backward += q->net.tail.backward;
	load[0].weight += q->net.head.backward / 2;
	load[last].weight += q->net.tail.weighed ? q->net.tail.weight : q->net.tail.backward / 2;
	load[0].transient = fmax(load[0].transient, q->net.head.transient);
	load[last].transient = fmax(load[last].transient, q->net.tail.transient);
	for (int p = 0; p < stages; p++)
		next[p] = s->first[p];
	for (bool moved = true; moved; ) {
		moved = false;
		for (int p = 0; p < stages; p++)
			while (next[p] < s->first[p + 1]) {
				const struct op *op = &s->op[next[p]];
				int i = op->chunk * stages + p, b = op->phase != PHASE_F, m = (int)op->micro;
				double ready = op->phase == PHASE_W ? end[1][i][m] :
				    b == 0 ? i == 0 ? 0 : end[0][i - 1][m] :
				    i == last ? end[0][i][m] : end[1][i + 1][m];

				if (ready < 0)
					break;
				if (op->phase == PHASE_W) {
					clock[p] = fmax(clock[p], ready) + load[i].weight / q->speed[p];
					out.peak[p] = fmax(out.peak[p], live[p] + load[i].transient);
					live[p] -= load[i].kept;
					out.step = fmax(out.step, clock[p]);
					next[p]++;
					moved = true;
					continue;
				}
				if (i != (b ? last : 0))
					ready += delay_between(q, (b ? i + 1 : i - 1) % stages, p);
				clock[p] = end[b][i][m] = fmax(clock[p], ready) +
				    (op->phase == PHASE_I ? load[i].backward - load[i].weight :
				    b ? load[i].backward : load[i].forward) / q->speed[p];
				out.peak[p] = fmax(out.peak[p], live[p] + load[i].transient +
				    (b ? 0 : load[i].activation));
				live[p] += b ? -load[i].activation : load[i].activation;
				live[p] += op->phase == PHASE_I ? load[i].kept : 0;
				out.peak[p] = fmax(out.peak[p], live[p]);
				out.step = fmax(out.step, clock[p]);
				next[p]++;
				moved = true;
			}
	}
	for (int i = 0; i < q->pieces; i++)
		out.peak[i % stages] += load[i].parameter;
	for (int p = 0; p < stages; p++)
		out.peak[p] = fmax(out.peak[p] + q->net.constant + (p == 0 ? q->net.head.parameter : 0) +
		    (p == last % stages ? q->net.tail.parameter : 0), other_moment(q, chosen, p));
	return out;
}

/* Evaluate with the library's simulator, for schedules with their own rules. */
static inline struct outcome
run_library(const struct question *q, const struct schedule *s, const struct choice *const chosen[])
{
	struct plan plan = { .schedule = (int)q->shape.kind, .interleave = q->shape.chunks };
	struct simulation sim = { 0 };
	struct outcome out = { .step = -1 };
	struct load load;

	plan.offset = grid_new(q->shape.chunks, q->shape.stages);
	for (int b = 0; b < q->net.nbodies; b++) {
		struct array *all = q->body[b].side == 0 ? &plan.counts : &plan.ends;
		struct body_counts *c = array_add(&body_counts_fields, all);

		c->name = xstrdup(q->body[b].name);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			GIVE(body_counts, c, kind[k], grid_new(q->shape.chunks, q->shape.stages));
			for (int i = 0; i < q->pieces; i++)
				c->kind[k].at[i] = chosen[i]->count[b * RECOMPUTE_KINDS + k];
		}
	}
	load = load_from_plan(&plan, &q->net, &q->shape, &q->devices);
	if (simulation_run(&sim, s, &load))
		out.step = sim.step_time;
	for (int p = 0; p < q->shape.stages; p++)
		out.peak[p] = load.floor.n > 0 ? fmax(sim.peak.at[p], load.floor.at[p]) : sim.peak.at[p];
	simulation_free(&sim);
	load_free(&load);
	if (plan.ends.n > 0)
		GIVE(plan, &plan, ends, plan.ends);
	fields_free(&plan_fields, &plan);
	return out;
}

static inline struct outcome
run_choices(const struct question *q, const struct schedule *s, const struct choice *const chosen[])
{
	return goes_round(q) && q->devices.transfers == TRANSFERS_HIDDEN ? run_round(q, s, chosen)
	    : run_library(q, s, chosen);
}

struct brute {
	long plans, fitting;
	double step;		/* step of the best fitting plan; INFINITY: none fits */
	double excess;		/* least MB by which all limits must be raised for a plan to fit */
};

/* Try all choices for the pieces with LENGTH[pieces] layers, in the order of the data. */
static inline bool
try_choices(const struct question *q, const struct schedule *s, const int *length, long most, struct brute *out)
{
	static struct choices choices[PIECES];
	const struct choice *chosen[PIECES];
	int pick[PIECES] = { 0 }, first = 0, i;
	double product = 1;

	for (int n = 0; n < q->pieces; n++) {
		i = q->piece[n];
		if (!list_choices(q, first, length[n], &choices[i]))
			return false;
		first += length[n];
		product *= choices[i].n;
	}
	if (product == 0)
		return true;
	if ((double)out->plans + product > (double)most)
		return false;
	for (;;) {
		double over = -INFINITY;
		struct outcome o;

		for (i = 0; i < q->pieces; i++)
			chosen[i] = &choices[i].at[pick[i]];
		o = run_choices(q, s, chosen);
		out->plans++;
		for (int p = 0; p < q->shape.stages; p++)
			over = fmax(over, o.peak[p] - q->limit[p]);
		out->excess = fmin(out->excess, over);
		/* Undecidable: rounding of sums in another order decides whether the plan fits. */
		if (fabs(over - FITS) < FITS / 10)
			return false;
		if (over <= FITS) {
			out->fitting++;
			out->step = fmin(out->step, o.step);
		}
		for (i = 0; i < q->pieces && ++pick[i] == choices[i].n; i++)
			pick[i] = 0;
		if (i == q->pieces)
			return true;
	}
}

/* Try every placement of the layers; return false if there are more than MOST plans. */
static inline bool
brute_force(const struct question *q, long most, struct brute *out)
{
	struct schedule s = timed_schedule_of_plans(&q->shape, &q->net, &q->devices);
	int length[PIECES], spare = q->net.layers - fewest_of_all(q), i;
	bool whole = true;

	*out = (struct brute){ .step = INFINITY, .excess = INFINITY };
	for (i = 0; i < q->pieces; i++)
		length[i] = fewest(q, i);
	for (bool more = true; more && whole; ) {
		int sum = 0;

		for (i = 0; i < q->pieces - 1; i++)
			sum += length[i] - fewest(q, i);
		if (sum <= spare) {
			length[q->pieces - 1] = fewest(q, q->pieces - 1) + spare - sum;
			whole = try_choices(q, &s, length, most, out);
		}
		for (i = 0; i < q->pieces - 1 && ++length[i] > fewest(q, i) + spare; i++)
			length[i] = fewest(q, i);
		more = i < q->pieces - 1;
	}
	schedule_free(&s);
	return whole;
}

static inline double
whole_limit(const struct question *q, double limit)
{
	return q->digits ? limit : floor(limit);
}

/* Draw limits near the peaks of even layers with the first kind of recomputation. */
static inline void
draw_limits(struct question *q)
{
	struct schedule s = timed_schedule_of_plans(&q->shape, &q->net, &q->devices);
	struct choice even[PIECES] = { { .count = { 0 } } };
	const struct choice *chosen[PIECES];
	struct outcome o;
	double most = 0, factor = 0.6 + 0.1 * below(q, 8);

	for (int i = 0; i < q->pieces; i++)
		chosen[i] = &even[i];
	for (int l = 0; l < q->net.layers; l++) {
		int b = layer_body(q, l), k = below(q, kinds_of(q));

		while (!q->body[b].has[k])
			k = (k + 1) % kinds_of(q);
		even[q->piece[l * q->pieces / q->net.layers]].count[b * RECOMPUTE_KINDS + k]++;
	}
	o = run_choices(q, &s, chosen);
	for (int p = 0; p < q->shape.stages; p++)
		most = fmax(most, o.peak[p]);
	for (int p = 0; p < q->shape.stages; p++)
		q->limit[p] = fmax(1, whole_limit(q, most * factor));
	if (below(q, 3) == 0)
		for (int p = 0; p < q->shape.stages; p++)
			q->limit[p] = fmax(1, whole_limit(q, q->limit[p] * (0.8 + 0.1 * below(q, 5))));
	/* The limit equals the plan's memory, or is below it by the tolerance. */
	if (q->digits && below(q, 3) == 0)
		for (int p = 0; p < q->shape.stages; p++)
			q->limit[p] = o.peak[p] - FITS * 0.1 * below(q, 9);
	schedule_free(&s);
}

/* Move all limits so that the best plan just fits, or just does not. */
static inline void
move_limits(struct question *q, long most, struct brute *answer)
{
	static const double beside[] = { 0, 5e-8, -1e-4, 1e-4, -1 };
	double by = answer->excess + beside[below(q, 5)];

	for (int p = 0; p < q->shape.stages; p++)
		if (q->limit[p] + by < 1)
			return;
	for (int p = 0; p < q->shape.stages; p++)
		q->limit[p] += by;
	brute_force(q, most, answer);
}

enum {
	NARROW = 500,		/* number of questions before those of all kinds begin */
	OWN_WEIGHTS = 0x142,	/* of eleven questions that weigh: for all the other sorts as often */
	OWN_KEPT = 0x20a	/* the same */
};

/* The N-th question with at most MOST plans; every other one has DIGITS. */
static inline void
question_draw(struct question *q, int n, long most, struct brute *answer)
{
	*q = (struct question){ .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2,
	    .own = n % 5 == 4 || n % 6 == 2, .transient = n % 5 == 3, .ends = n % 7 == 6, .wide = n >= NARROW,
	    .named = n % 6 == 5, .weighs = n % 7 == 3, .offloads = n % 6 == 2, .empty = n % 4 == 1,
	    .floors = n % 8 == 6 };
	q->own_weights = q->weighs && (OWN_WEIGHTS >> n / 7 % 11 & 1);
	q->own_kept = q->weighs && (OWN_KEPT >> n / 7 % 11 & 1);
	if (q->named)
		read_kinds(q);
	do {
		draw_question(q);
		draw_limits(q);
	} while (q->net.layers > q->pieces + SPARE || !brute_force(q, most, answer));
	if (q->wide && answer->excess < INFINITY && below(q, 2))
		move_limits(q, most, answer);
}

#endif
