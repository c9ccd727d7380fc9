/*
 * Small random questions as records, and all plans for them, by the rules of sapp(7) alone. No code is shared with the
 * tools, so a common error must come from misunderstanding the rules twice.
 */
#ifndef ADVERSARY_STEP_H
#define ADVERSARY_STEP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 6, NONE = 0, SELECT, COMM, BOTH, FULL, OWN, TYPES = 5, STAGES = 4, PIECES = 8, UNITS = 16, LAYERS = 16,
	CHOICES = 70 };

static const char *const kind_names[KINDS] = { "none", "select", "comm", "both", "full", "own" };

struct layers {			/* layers of one name */
	int side;			/* -1: HEAD, 0: BODY, 1: TAIL */
	/* bound: to the first or last piece; free_said: the record has "bound": false */
	bool bound, free_said;
	bool predicts;
	int n;
	double forward, parameter, transient, floor;
	double weight, kept;		/* weight_time, weight_activation; -1: not given */
	bool has[KINDS];
	double activation[KINDS], offload[KINDS];
	double backward[KINDS];		/* backward_time by kind; -1: not given */
	double coef[KINDS];		/* backward_coef by kind; -1: not given */
	/* weight_time and weight_activation by kind; -1: not given */
	double own_weight[KINDS], own_kept[KINDS];
};

/* The plans that frameworks can run: sapp(7), TARGETS. */
struct target_rule {
	const char *name, *format;
	const char *schedules[4];
	/* mixes: u uniform; w whole, the first layers of a piece; o none, all layers or none; y yaml */
	char mixes;
	bool any_layers;		/* whole: not the first layers of a piece alone */
	bool alone;			/* embedding and loss may be alone in a piece */
	enum { ANYWHERE, LAST_CHUNK, LAST_PIECE } predicting;
	bool read_back;			/* sapp-yaml reads the settings that it writes */
};
static const struct target_rule targets[] = {
	{ "megatron", "megatron", { "1f1b", "vpp", "vpp", "1f1b" }, 'u', false, true, LAST_CHUNK, true },
	{ "mindspeed", "mindspeed", { "1f1b", "vpp", "1f1b", "vpp" }, 'u', false, false, LAST_PIECE, true },
	{ "flagscale", "flagscale", { "1f1b", "vpp", "vpp", "1f1b" }, 'w', false, true, LAST_CHUNK, true },
	{ "primus", "primus", { "1f1b", "vpp", "zb-h1", "zbv" }, 'w', true, false, LAST_CHUNK, true },
	{ "hyperparallel", "hyperparallel", { "1f1b", "gpipe", "vpp", "1f1b" }, 'w', false, false, ANYWHERE, true },
	{ "pytorch", "torchtitan", { "1f1b", "gpipe", "vpp", "zbv" }, 'o', false, false, ANYWHERE, false },
	{ "mindformers", "mindformers", { "1f1b", "gpipe", "vpp", "vpp-less" }, 'y', false, false, ANYWHERE, false },
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* Modes of transfers, by the names of -transfers. */
enum way { HIDDEN, BATCHED, BLOCKING, ONE_BY_ONE, WAYS };
static const char *const way_names[WAYS] = { "hidden", "batched", "blocking", "one-by-one" };

struct question {
	uint64_t random;
	const char *schedule;
	int stages, chunks, micro, splits, group;
	int ntypes;
	struct layers type[TYPES];
	double constant;
	int nlimits, nspeeds, ndelays, noverheads;
	double limit[STAGES], speed[STAGES], delay[STAGES], overhead[STAGES], early[STAGES];
	double link, overlap;		/* 0: none */
	enum way way;
	bool empty;
	/* mixes by initial: a all, y yaml, u uniform; with a target also w whole, o none */
	char mixes;
	const struct target_rule *target;	/* NULL: any */
	int alike, alike_layers;	/* with uniform: the kind of all layers, or of the first layers of a piece */
	/* sizes in the model record, for sequence splits */
	double tokens, hidden, inner, words, ways;
};

static inline int
below(struct question *q, int n)
{
	q->random ^= q->random << 13;
	q->random ^= q->random >> 7;
	q->random ^= q->random << 17;
	return (int)((q->random >> 16) % (uint64_t)n);
}

struct op {
	int piece, unit;
	char phase;			/* F, B, I, W */
	bool joined;			/* runs together with the next operation */
};

struct order {
	int n[STAGES];
	struct op op[STAGES][6 * PIECES * UNITS];
	int pieces;
	int of[STAGES][PIECES], npieces[STAGES];	/* pieces of a stage, in model order */
};

struct load {
	double forward, backward, weight, activation, kept, parameter, transient, floor;
	int count[TYPES][KINDS];
};

static inline double
backward_of(const struct layers *l, int k)
{
	static const double coef[KINDS] = { 0, 0.04, 0.125, 0.165, 0.5, 0 };
	static const double share[KINDS] = { 0, 0.08, 0.25, 0.33, 1, 0 };
	double twice = 2 * l->forward;

	if (l->backward[k] >= 0)
		return l->backward[k];
	if (k == NONE || (k == OWN && l->coef[k] < 0))
		return k != NONE ? backward_of(l, NONE) : (1 + fmax(0, l->coef[NONE])) * twice;
	if (l->coef[k] >= 0)
		return (1 + l->coef[k]) * (l->backward[NONE] >= 0 ? l->backward[NONE] : twice);
	return l->backward[NONE] >= 0 ? l->backward[NONE] + share[k] * l->forward : (1 + coef[k]) * twice;
}

static inline double
weight_of(const struct layers *l, int k)
{
	return l->own_weight[k] >= 0 ? l->own_weight[k] : l->weight >= 0 ? l->weight : backward_of(l, NONE) / 2;
}

static inline bool
keeps(const struct question *q)
{
	bool any = false;

	for (int t = 0; t < q->ntypes; t++)
		for (int k = 0; k < KINDS; k++)
			any |= q->type[t].side == 0 && (q->type[t].kept >= 0 || q->type[t].own_kept[k] >= 0);
	return any;
}

static inline double
kept_of(const struct question *q, const struct layers *l, int k)
{
	double most = 0;

	if (!keeps(q))
		return l->activation[k];
	if (l->own_kept[k] >= 0)
		return l->own_kept[k];
	if (l->kept >= 0)
		return l->kept;
	for (int j = 0; j < KINDS; j++)
		most = l->has[j] ? fmax(most, l->activation[j]) : most;
	return most;
}

static inline double
speed_of(const struct question *q, int stage)
{
	return q->nspeeds == 0 ? 1 : q->speed[q->nspeeds > 1 ? stage : 0];
}

/* Return the MB of the keys of a micro-batch; the values need the same. */
static inline double
keys(const struct question *q)
{
	return 2 * q->tokens * q->hidden / q->ways / (1 << 20);
}

/*
 * Add N layers of type T with kind K to LOAD on a stage. For the link, add the BODY layers' forwards and backwards, ms,
 * and offloaded MB to SUM[3].
 */
static inline void
add_layers(const struct question *q, struct load *load, int t, int k, int n, int stage, double sum[3])
{
	const struct layers *l = &q->type[t];
	double speed = speed_of(q, stage), held = l->activation[k], part = 1. / q->splits;

	if (n == 0)
		return;
	if (q->splits > 1 && held > 0)
		held = (held - 2 * keys(q)) * part + 2 * keys(q);
	if (q->link > 0 && l->side == 0)
		held += fmax(0, (l->offload[k] - q->link * l->forward / speed) * part);
	load->count[t][k] += n;
	load->forward += n * l->forward * part / speed;
	load->backward += n * backward_of(l, k) * part / speed;
	load->weight += n * weight_of(l, k) * part / speed;
	load->activation += n * held;
	load->kept += n * (keeps(q) ? kept_of(q, l, k) : held);
	load->parameter += n * (l->parameter + (q->splits > 1 && l->side == 0 ? 4 * keys(q) : 0));
	load->transient = fmax(load->transient, l->transient * part);
	load->floor += n * l->floor;
	if (l->side == 0) {
		sum[0] += n * l->forward * part / speed;
		sum[1] += n * backward_of(l, k) * part / speed;
		sum[2] += n * l->offload[k] * part;
	}
}

/* Add bound head and tail layers to the first and the last piece. */
static inline void
add_ends(const struct question *q, struct load *load, int piece, int pieces, int stage)
{
	double speed = speed_of(q, stage), part = 1. / q->splits, less = (1 - part) / (1 << 20);
	bool transient = false;

	for (int t = 0; t < q->ntypes; t++)
		transient |= q->type[t].side > 0 && q->type[t].transient > 0;
	for (int t = 0; t < q->ntypes; t++) {
		const struct layers *l = &q->type[t];

		if (l->side == 0 || !l->bound || piece != (l->side < 0 ? 0 : pieces - 1))
			continue;
		load->forward += l->n * l->forward * part / speed;
		load->backward += l->n * backward_of(l, NONE) * part / speed;
		load->weight += l->n * weight_of(l, NONE) * part / speed;
		load->parameter += l->n * l->parameter;
		load->transient = fmax(load->transient, l->transient * part);
	}
	if (q->splits == 1)
		return;
	if (piece == 0)
		load->parameter -= less * (2 * q->tokens * (q->ways > 1 ? q->hidden : q->inner) +
		    (q->ways > 1 ? 2 : 1) * 2 * q->tokens * q->hidden / q->ways);
	if (piece == pieces - 1 && !transient)
		load->parameter -= 2 * less * 4 * q->tokens * q->words / q->ways;
}

struct outcome {
	double step, peak[STAGES];
};

static inline double
delay_of(const struct question *q, int from, int to)
{
	int edge = abs(from - to) > 1 ? q->stages - 1 : from < to ? from : to;

	if (from == to || q->ndelays == 0)
		return 0;
	return q->ndelays == 1 ? q->delay[0] : edge < q->ndelays ? q->delay[edge] : 0;
}

enum { FORWARDS, BACKWARDS, PARTS };
struct ends {			/* end and stage of the data; -1: not yet */
	double at[PARTS][PIECES][UNITS];
	int stage[PARTS][PIECES][UNITS];
};

/* Return the time at which the input of operation X is available on a stage; -1: not computed yet. */
static inline double
ready(const struct question *q, const struct order *o, const struct ends *e, int stage, struct op x)
{
	int of = x.phase == 'F' || (x.phase != 'W' && x.piece == o->pieces - 1) ? FORWARDS : BACKWARDS;
	int piece = x.phase == 'F' ? x.piece - 1 : of == BACKWARDS && x.phase != 'W' ? x.piece + 1 : x.piece;
	double at;

	if (piece < 0)
		return 0;
	at = e->at[of][piece][x.unit];
	return at < 0 ? at : at + (q->way != HIDDEN ? 0 : delay_of(q, e->stage[of][piece][x.unit], stage));
}

static inline double
duration(const struct load *l, char phase)
{
	return phase == 'F' ? l->forward : phase == 'B' ? l->backward : phase == 'I' ? l->backward - l->weight :
	    l->weight;
}

/*
 * Raise the peak of a stage to the MB that an operation needs while it runs, and set *HELD to the MB that it leaves.
 * ALSO: MB that an operation at the same time uses only while it runs.
 */
static inline void
hold(struct outcome *out, const struct load *l, int stage, char phase, double also, double *held)
{
	double before = *held;

	out->peak[stage] = fmax(out->peak[stage], before + l->transient + also + (phase == 'F' ? l->activation : 0));
	*held += phase == 'F' ? l->activation : phase == 'B' ? -l->activation : phase == 'W' ? -l->kept :
	    l->kept - l->activation;
	out->peak[stage] = fmax(out->peak[stage], *held);
}

/*
 * Return the step and the peaks of an order of operations. LOAD[stage][piece]: times and memory of a piece that the
 * stage holds.
 */
static inline struct outcome
run_order(const struct question *q, const struct order *o, const struct load *load[STAGES][PIECES])
{
	struct outcome out = { .step = 0 };
	double clock[STAGES] = { 0 }, held[STAGES] = { 0 }, pipe = 0, rest = 0;
	int next[STAGES] = { 0 };
	static struct ends e;

	for (int i = 0; i < PARTS * PIECES * UNITS; i++)
		(&e.at[0][0][0])[i] = -1;
	for (bool moved = true; moved;) {
		moved = false;
		for (int s = 0; s < q->stages; s++)
			while (next[s] < o->n[s]) {
				const struct op *x = &o->op[s][next[s]];
				int n = x->joined ? 2 : 1;
				double start = clock[s], time = 0, end;
				bool there = true;

				for (int i = 0; i < n; i++) {
					double at = ready(q, o, &e, s, x[i]);

					there &= at >= 0;
					start = fmax(start, at);
					time += duration(load[s][x[i].piece], x[i].phase);
				}
				if (!there)
					break;
				end = start + (n > 1 && q->overlap > 0 ? q->overlap : 1) * time;
				for (int i = 0; i < n; i++) {
					const struct load *l = load[s][x[i].piece];

					hold(&out, l, s, x[i].phase, i == 0 && n > 1 ?
					    load[s][x[1].piece]->transient : 0, &held[s]);
					if (x[i].phase == 'W')
						continue;
					e.at[x[i].phase != 'F'][x[i].piece][x[i].unit] = end;
					e.stage[x[i].phase != 'F'][x[i].piece][x[i].unit] = s;
				}
				clock[s] = end;
				next[s] += n;
				moved = true;
			}
	}
	for (int s = 0; s < q->stages; s++) {
		double early = q->noverheads > 0 ? q->early[s] : 0, floor = 0;

		if (next[s] < o->n[s])
			out.step = INFINITY;
		pipe = fmax(pipe, clock[s] + early);
		rest = fmax(rest, (q->noverheads > 0 ? q->overhead[s] : 0) - early);
		for (int i = 0; i < o->npieces[s]; i++) {
			out.peak[s] += load[s][o->of[s][i]]->parameter;
			floor += load[s][o->of[s][i]]->floor;
		}
		out.peak[s] += q->constant;
		/*
		 * If no layer has memory_floor, only the pipeline's peak counts, and a negative constant stays
		 * negative.
		 */
		if (floor > 0)
			out.peak[s] = fmax(out.peak[s], floor);
	}
	out.step = fmax(out.step, pipe + rest);
	return out;
}

/*
 * Simulate transfers that keep both stages busy, with one piece per stage. A transfer begins when both stages have
 * reached it. Batched: the sends and receives of a stage between two operations are one exchange if both are with the
 * same stage; otherwise the stage sends first.
 */
struct event {
	int op;				/* previous operation; -1: none */
	int with, n;			/* stage, and its transfers */
	int transfer[2];		/* by number; equal on both stages */
};

static inline int
transfer_number(int boundary, bool back, int unit)
{
	return (boundary * 2 + back) * UNITS + unit;
}

/* Return whether the stage receives for NEXT before it sends the result of BEFORE. */
static inline bool
receives_first(const struct question *q, int stage, const struct op *before, const struct op *next)
{
	bool back = before->phase != 'F', same = back == (next->phase != 'F');

	return q->way == BLOCKING ? same ? stage % 2 == 1 : back : q->way == ONE_BY_ONE && back && !same;
}

static inline struct outcome
run_exchanges(const struct question *q, const struct order *o, const struct load *load[STAGES][PIECES])
{
	struct outcome out;
	struct question hidden = *q;
	/* times at which the lower and the upper stage reach a transfer */
	static double come[2][STAGES * 2 * UNITS];
	double clock[STAGES] = { 0 }, ended[STAGES] = { 0 }, pipe = 0, rest = 0;
	int at[STAGES] = { 0 }, last = q->stages - 1;
	static int program[STAGES][1024][5];	/* sort 0: operation; 1: exchange with n transfers over a boundary */
	int length[STAGES] = { 0 };

	hidden.way = HIDDEN;
	out = run_order(&hidden, o, load);	/* peaks follow the order */
	for (int i = 0; i < STAGES * 2 * UNITS; i++)
		come[0][i] = come[1][i] = -1;
	for (int s = 0; s <= last; s++)
		for (int i = 0; i <= o->n[s]; i++) {
			const struct op *before = i > 0 ? &o->op[s][i - 1] : NULL;
			const struct op *x = i < o->n[s] ? &o->op[s][i] : NULL;
			int out_to = before == NULL ? -1 : before->phase == 'F' ? s + 1 : s - 1;
			int in_from = x == NULL ? -1 : x->phase == 'F' ? s - 1 : s + 1;
			int way[2] = { out_to, in_from }, number[2] = { 0, 0 };

			for (int k = 0; k < 2; k++) {
				const struct op *of = k == 0 ? before : x;

				if (way[k] < 0 || way[k] > last) {
					way[k] = -1;
					continue;
				}
				number[k] = transfer_number(way[k] < s ? way[k] : s, of->phase != 'F', of->unit);
			}
			if (way[0] >= 0 && way[0] == way[1] && q->way == BATCHED) {
				int *to = program[s][length[s]++];

				to[0] = 2, to[1] = way[0], to[2] = number[0], to[3] = number[1];
			} else {
				int first = before != NULL && x != NULL && receives_first(q, s, before, x);

				for (int j = 0, k = first; j < 2; j++, k = 1 - k)
					if (way[k] >= 0) {
						int *to = program[s][length[s]++];

						to[0] = 1, to[1] = way[k], to[2] = number[k];
					}
			}
			if (x != NULL) {
				int *to = program[s][length[s]++];

				to[0] = 0, to[2] = i;
			}
		}
	for (bool moved = true; moved;) {
		moved = false;
		for (int s = 0; s <= last; s++)
			while (at[s] < length[s]) {
				const int *do_now = program[s][at[s]];
				double end = clock[s];
				bool there = true;

				for (int k = 0; k < do_now[0]; k++) {
					int up = do_now[1] < s, id = do_now[2 + k];

					if (come[up][id] < 0) {
						come[up][id] = clock[s];
						moved = true;
					}
					there &= come[!up][id] >= 0;
					end = fmax(end, fmax(come[0][id], come[1][id]) + delay_of(q, s, do_now[1]));
				}
				if (!there)
					break;
				if (do_now[0] == 0) {
					const struct op *x = &o->op[s][do_now[2]];

					end += duration(load[s][x->piece], x->phase);
					ended[s] = end;
				}
				clock[s] = end;
				at[s]++;
				moved = true;
			}
	}
	for (int s = 0; s <= last; s++) {
		double early = q->noverheads > 0 ? q->early[s] : 0;

		pipe = fmax(pipe, at[s] < length[s] ? INFINITY : ended[s] + early);
		rest = fmax(rest, (q->noverheads > 0 ? q->overhead[s] : 0) - early);
	}
	out.step = pipe + rest;
	return out;
}

static inline struct outcome
run_plan(const struct question *q, const struct order *o, const struct load *load[STAGES][PIECES])
{
	return q->way != HIDDEN ? run_exchanges(q, o, load) : run_order(q, o, load);
}

#endif
