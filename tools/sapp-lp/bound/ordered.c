/* Ordered relaxation: paths and layouts answer each other in rounds. */
#include "ordered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/model/weights.h"
#include "layout_dp.h"
#include "lp_model.h"
#include "sapp-lp/model/tier.h"
#include "soft_paths.h"

enum {
	PRIOR = 8,		/* rounds that the relaxation's mean of paths counts for */
	PROVE_EVERY = 16,	/* rounds */
	ROUNDS_LEAST = 512,	/* before it is asked whether it is done */
};
/* Sharpness after a round: that of a path or a layout which is longer by the step over this. */
static const double PATH_RATE = 280, LAYOUT_RATE = 46;
/* By which prices move a round, in units of the price at which all memory costs the step, a limit beyond limits. */
static const double PRICE_RATE = 6e-3;
static const double HARDLY = 2e-4;	/* relative gains in half as many rounds again when it is done */
static const double NARROWER = 5e-3;	/* a horizon that is lower by so much, relatively, is worth going on for */
static const double STEP_SHRINKS = 3, STEP_LEAST = 0.01;	/* where steps do not raise the bound */
static const double OPERATIONS_A_PATH = 12, OPERATIONS_AN_EDGE = 2;	/* that take about as long */

/* What a side has played: a mean of paths, and prices of memory. */
struct play {
	struct visits visits;
	double *price;		/* [rows], ms per MB */
};

struct ordered {
	const struct problem *p;
	struct layout_dp layouts;
	struct soft_paths paths;
	bool can, begun, slow, done;
	double horizon, scale;		/* ms: for which layouts were left out; step that rates are of */
	int rows, *first_row;		/* of memory, in all; [stages], each stage's first */
	double *room;			/* [rows], MB */
	long rounds;
	/* In this round; in all; what is played against; what proves the bound; and a step from that to the offer. */
	struct play now, sum, offer, best, trial;
	double proved, offered;		/* ms, by the best one; by the offer when it was last asked whether it rises */
	double step;			/* part of the way to the offer that is tried next, at most 1 */
	double *excess;			/* [rows], MB, of the last round */
	double *cost, *costs, *asked;	/* [slots], ms, of this round, all, and what paths are sought under */
	double *memory;			/* [rows], MB */
	struct times *time;		/* [pieces][bodies], of a layer in its mean kind, pieces in the model's order */
	double *activation, *kept, *price, *layers;	/* the same, MB; MB; ms; number */
	double bound, before;		/* ms; the bound when that was last asked */
	long ask_at;			/* round at which to ask again */
};

static struct play
play_new(const struct problem *p, int rows)
{
	return (struct play){ visits_new(p), xcalloc((size_t)rows, sizeof(double)) };
}

static void
play_free(struct play *a)
{
	free(a->visits.at);
	free(a->price);
}

/* TO = TO * KEEP + FROM * PART */
static void
play_add(const struct ordered *o, struct play *to, double keep, const struct play *from, double part)
{
	for (int i = 0; i < o->p->evaluator.slots; i++)
		to->visits.at[i] = to->visits.at[i] * keep + from->visits.at[i] * part;
	to->visits.delay = to->visits.delay * keep + from->visits.delay * part;
	for (int i = 0; i < o->rows; i++)
		to->price[i] = to->price[i] * keep + from->price[i] * part;
}

struct ordered *
ordered_new(const struct problem *p)
{
	size_t each = (size_t)p->pieces * (size_t)p->net->nbodies, slots = (size_t)p->evaluator.slots;
	struct ordered *o;

	if (p->chunks == 1 || p->net->nbodies == 1 || !layout_dp_can(p))
		return NULL;
	o = xcalloc(1, sizeof *o);
	o->p = p;
	o->layouts = layout_dp_new(p);
	o->paths = soft_paths_new(&p->evaluator);
	o->can = true;
	o->first_row = xcalloc((size_t)p->stages, sizeof *o->first_row);
	for (int s = 0; s < p->stages; s++) {
		o->first_row[s] = o->rows;
		o->rows += p->evaluator.rows[s].n;
	}
	o->room = xcalloc((size_t)o->rows, sizeof *o->room);
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++)
			o->room[o->first_row[s] + i] = memory_room(p, s, i);
	o->now = play_new(p, o->rows);
	o->sum = play_new(p, o->rows);
	o->offer = play_new(p, o->rows);
	o->best = play_new(p, o->rows);
	o->trial = play_new(p, o->rows);
	o->step = 1;
	o->excess = xcalloc((size_t)o->rows, sizeof *o->excess);
	o->memory = xcalloc((size_t)o->rows, sizeof *o->memory);
	o->cost = xcalloc(slots, sizeof *o->cost);
	o->costs = xcalloc(slots, sizeof *o->costs);
	o->asked = xcalloc(slots, sizeof *o->asked);
	o->time = xcalloc(each, sizeof *o->time);
	o->activation = xcalloc(each, sizeof *o->activation);
	o->kept = xcalloc(each, sizeof *o->kept);
	o->price = xcalloc(each, sizeof *o->price);
	o->layers = xcalloc(each, sizeof *o->layers);
	return o;
}

void
ordered_free(struct ordered *o)
{
	layout_dp_free(&o->layouts);
	soft_paths_free(&o->paths);
	free(o->first_row);
	free(o->room);
	play_free(&o->now);
	play_free(&o->sum);
	play_free(&o->offer);
	play_free(&o->best);
	play_free(&o->trial);
	free(o->excess);
	free(o->memory);
	free(o->cost);
	free(o->costs);
	free(o->asked);
	free(o->time);
	free(o->activation);
	free(o->kept);
	free(o->price);
	free(o->layers);
	free(o);
}

/* What a MB costs in a piece, ms: parameters; activations; what waits for its W. */
struct tariff {
	double parameter, activation, kept;
};

static struct tariff
tariff_of(const struct ordered *o, const struct play *against, int piece)
{
	const struct problem *p = o->p;
	const struct rows *rows = &p->evaluator.rows[piece % p->stages];
	struct tariff t = { 0 };

	for (int i = 0; i < rows->n; i++) {
		double price = against->price[o->first_row[piece % p->stages] + i];
		int at = i * p->chunks + piece / p->stages;

		t.parameter += price;
		t.activation += price * rows->live[at];
		t.kept += p->net->keeps ? price * rows->held[at] : 0;
	}
	return t;
}

/*
 * The price of a layer of BODY in the N-th piece, by its cheapest kind of recomputation. With SHARPNESS, also the mean
 * kind, in which a cheaper one has more weight, and the price less what that freedom is worth. Returns the sum of the
 * price's absolute terms.
 */
static double
set_price(struct ordered *o, int n, int body, struct times worth, struct tariff tariff, double sharpness)
{
	const struct body *b = stage_body(o->p, o->p->piece[n] % o->p->stages, body);
	int at = n * o->p->net->nbodies + body;
	double cost[RECOMPUTE_KINDS], part[RECOMPUTE_KINDS], least = INFINITY, sum = 0;
	double weight = worth.gradient * body_weight(b);
	double same = worth.forward * b->forward + tariff.parameter * b->parameter + tariff.kept * b->kept, apart = 0;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		cost[k] = b->has[k] ? worth.backward * b->backward[k] + worth.gradient * b->weight_more[k] +
		    tariff.activation * b->activation[k] + tariff.kept * b->kept_more[k] : INFINITY;
		least = fmin(least, cost[k]);
		apart = b->has[k] ? fmax(apart, 2 * fabs(worth.gradient) * b->weight_more[k]) : apart;
	}
	o->price[at] = least + same + weight;
	if (sharpness > 0) {
		o->time[at] = (struct times){ b->forward, 0, body_weight(b) };
		o->activation[at] = 0;
		o->kept[at] = b->kept;
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			sum += part[k] = exp((least - cost[k]) * sharpness);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (b->has[k]) {
				o->time[at].backward += part[k] / sum * b->backward[k];
				o->time[at].gradient += part[k] / sum * b->weight_more[k];
				o->activation[at] += part[k] / sum * b->activation[k];
				o->kept[at] += part[k] / sum * b->kept_more[k];
			}
		o->price[at] -= log(sum) / sharpness;
	}
	return least + same + fabs(weight) + apart;
}

/* All prices; returns an upper bound on the sum of the absolute terms of any layout's price. */
static double
set_prices(struct ordered *o, const struct play *against, double sharpness)
{
	const struct problem *p = o->p;
	double magnitude = 0;

	for (int n = 0; n < p->pieces; n++) {
		struct times worth = piece_worth(p, p->piece[n], &against->visits);
		struct tariff tariff = tariff_of(o, against, p->piece[n]);
		double largest = 0;

		for (int b = 0; b < p->net->nbodies; b++)
			largest = fmax(largest, set_price(o, n, b, worth, tariff, sharpness));
		/* Sums over all layers are subtracted from one another. */
		magnitude += largest * p->net->layers;
	}
	return magnitude;
}

/* A lower bound on every plan shorter than the horizon, ms, from a mean of paths and prices of memory. */
static double
prove(struct ordered *o, const struct play *against)
{
	double magnitude = set_prices(o, against, 0), constant = path_constant(o->p, &against->visits), bound;

	bound = layout_dp_least(&o->layouts, o->price) + constant;
	magnitude += fabs(constant);
	for (int i = 0; i < o->rows; i++) {
		bound -= against->price[i] * o->room[i];
		magnitude += fabs(against->price[i] * o->room[i]);
	}
	/* Rounding in the mean of paths is that of the operations on each, and of the rounds. */
	return proved_bound(o->p, bound, magnitude, 4.0 * o->p->evaluator.noperations + 2.0 * o->p->evaluator.slots +
	    o->rows + 2.0 * (double)o->rounds);
}

/* cost[] and memory[] of the mean of layouts. */
static void
measure(struct ordered *o)
{
	const struct problem *p = o->p;

	memset(o->memory, 0, (size_t)o->rows * sizeof *o->memory);
	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], stage = piece % p->stages;
		const struct rows *rows = &p->evaluator.rows[stage];
		struct times t = end_times(p, piece);
		double parameter = 0, activation = 0, kept = 0;

		for (int b = 0; b < p->net->nbodies; b++) {
			int at = n * p->net->nbodies + b;
			double layers = o->layers[at];

			t.forward += layers * o->time[at].forward;
			t.backward += layers * o->time[at].backward;
			t.gradient += layers * o->time[at].gradient;
			parameter += layers * p->net->body[b].parameter;
			activation += layers * o->activation[at];
			kept += p->net->keeps ? layers * o->kept[at] : 0;
		}
		piece_costs(p, piece, t, o->cost);
		for (int i = 0; i < rows->n; i++)
			o->memory[o->first_row[stage] + i] += parameter + kept *
			    rows->held[i * p->chunks + piece / p->stages] +
			    activation * rows->live[i * p->chunks + piece / p->stages];
	}
}

/* Layouts answer the paths, and paths and prices the layouts; false when layouts' weights cannot be held. */
static bool
play_round(struct ordered *o)
{
	const struct problem *p = o->p;
	double k = (double)o->rounds + PRIOR, limits = 0;

	/* The last round counts twice: it is what the next one is most likely to be. */
	play_add(o, &o->offer, 0, &o->sum, 1 / (k + 1));
	play_add(o, &o->offer, 1, &o->now, 1 / (k + 1));
	set_prices(o, &o->offer, LAYOUT_RATE / o->scale * (k + 1));
	if (!layout_dp_mean(&o->layouts, o->price, LAYOUT_RATE / o->scale * (k + 1), o->layers))
		return false;
	measure(o);
	o->rounds++;
	for (int i = 0; i < p->evaluator.slots; i++) {
		o->asked[i] = (o->costs[i] + 2 * o->cost[i]) / (double)(o->rounds + 1);
		o->costs[i] += o->cost[i];
	}
	soft_paths_run(&o->paths, o->asked, PATH_RATE / o->scale * (double)(o->rounds + 1), &o->now.visits);
	for (int s = 0; s < p->stages; s++)
		limits += p->limit[s];
	for (int i = 0; i < o->rows; i++) {
		double excess = o->memory[i] - o->room[i], rate = PRICE_RATE * o->scale * p->stages / (limits * limits);

		o->now.price[i] = fmax(0, o->now.price[i] + rate * (2 * excess - o->excess[i]));
		o->excess[i] = excess;
	}
	play_add(o, &o->sum, 1, &o->now, 1);
	return true;
}

/* What the best one proves. */
static void
take_proof(struct ordered *o, double ms)
{
	o->proved = ms;
	o->bound = fmax(o->bound, fmin(ms, o->horizon));
}

/*
 * What a mean of paths and prices proves is a concave function of them: where the offer itself does not prove more than
 * the best one, a point between the two may.
 */
static void
improve(struct ordered *o)
{
	struct play was = o->best;
	double proves;

	play_add(o, &o->trial, 0, &o->best, 1 - o->step);
	play_add(o, &o->trial, 1, &o->offer, o->step);
	proves = prove(o, &o->trial);
	if (proves > o->proved) {
		o->best = o->trial;
		o->trial = was;
		take_proof(o, proves);
		o->step = fmin(o->step * STEP_SHRINKS, 1);
	} else
		o->step = o->step < STEP_LEAST ? 1 : o->step / STEP_SHRINKS;
}

static void
begin(struct ordered *o, const struct relaxed *from)
{
	o->begun = true;
	o->scale = o->horizon;
	if (from->rounds > 0) {
		visits_copy(o->p, &o->now.visits, &from->weight);
		memcpy(o->now.price, from->price, (size_t)o->rows * sizeof *o->now.price);
	} else {
		/* Of each stage the path through all that it does. */
		for (uint32_t i = 0; i < o->p->evaluator.noperations; i++)
			o->now.visits.at[o->p->evaluator.operation[i].slot] += 1.0 / o->p->stages;
	}
	play_add(o, &o->sum, 0, &o->now, PRIOR);
	play_add(o, &o->best, 0, &o->now, 1);
	take_proof(o, prove(o, &o->best));
}

/* After rounds in which the bound hardly rose, nor what the offer proves, there is no more to gain. */
static void
ask(struct ordered *o)
{
	double offers = o->rounds > 0 ? prove(o, &o->offer) : 0;

	o->slow = o->bound < o->before * (1 + HARDLY);
	o->done = o->slow && offers < o->offered + HARDLY * o->bound;
	o->before = o->bound;
	o->offered = offers;
	o->ask_at = o->rounds + (o->rounds / 2 > ROUNDS_LEAST ? o->rounds / 2 : ROUNDS_LEAST);
}

bool
ordered_narrows(const struct ordered *o, double horizon)
{
	return o->can && (!o->begun || horizon < o->horizon * (1 - NARROWER));
}

void
ordered_run(struct ordered *o, const struct relaxed *from, double horizon, long rounds, double deadline)
{
	if (ordered_narrows(o, horizon)) {
		o->horizon = horizon;
		o->can = layout_dp_narrow(&o->layouts, horizon);
		if (o->can && !o->begun)
			begin(o, from);
		else if (o->can)
			take_proof(o, prove(o, &o->best));
		else if (o->layouts.none)
			o->bound = fmax(o->bound, horizon);
		if (o->can)
			ask(o);
		o->slow = o->done = false;
	}
	for (long i = 0; i < rounds && !ordered_done(o) && clock_left(deadline); i++) {
		o->can = play_round(o);
		if (o->can && o->rounds % PROVE_EVERY == 0)
			improve(o);
		if (o->rounds >= o->ask_at)
			ask(o);
	}
}

double
ordered_bound(const struct ordered *o)
{
	return o->bound;
}

bool
ordered_done(const struct ordered *o)
{
	return !o->can || o->done || (o->begun && o->bound >= o->horizon);
}

bool
ordered_slow(const struct ordered *o)
{
	return o->slow;
}

double
ordered_work(const struct ordered *o)
{
	return OPERATIONS_A_PATH * o->p->evaluator.noperations + OPERATIONS_AN_EDGE * (double)o->layouts.edges;
}

