/* Ordered relaxation: rounds of the game, with a proof of the bound every few rounds. */
#include "ordered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "layer_prices.h"
#include "layout_dp.h"
#include "lp_model.h"
#include "soft_paths.h"

enum {
	PRIOR = 8,		/* number of rounds that the relaxation's mean of paths counts for */
	PROVE_EVERY = 16,	/* rounds between proofs */
	ROUNDS_LEAST = 512,	/* rounds between tests for the end */
	SLOW_EVERY = 128,	/* rounds between tests for slow progress of the bound */
};
/* growth of the sharpness of paths and of layouts with the rounds */
static const double PATH_RATE = 280, LAYOUT_RATE = 46;
static const double PRICE_RATE = 6e-3;	/* step of the prices of memory in a round, relative to scale / sum of limits */
static const double HARDLY = 2e-4;	/* relative gain of the last third of the rounds, below which the game ends */
/* minimum relative reduction of the horizon that makes further rounds worthwhile */
static const double NARROWER = 5e-3;
static const double SLOW = 2e-4;	/* relative gain between two tests, below which progress is slow */
/* factor by which ordered.step grows if the bound rises and shrinks otherwise; minimum of ordered.step */
static const double STEP_SHRINKS = 3, STEP_LEAST = 0.01;
/*
 * Number of operations that the simulator runs in about the same time: as soft_paths takes per operation of the step;
 * as layout_dp takes per edge.
 */
static const double OPERATIONS_A_PATH = 12, OPERATIONS_AN_EDGE = 2;

/* What one side of the game of paths against layouts plays: a mean of paths, and prices of memory. */
struct play {
	struct visits visits;
	double *price;		/* [rows], ms per MB */
};

struct ordered {
	const struct problem *p;
	struct layout_dp layouts;
	struct soft_paths paths;
	bool can, begun, done, slow;
	double horizon;			/* ms, horizon for which layouts were last dropped */
	long rounds;
	/* play of this round; sum of the plays of all rounds; play that proves the bound */
	struct play now, sum, best;
	struct play offer;		/* the mean to which the layouts respond, with the last round counted twice */
	struct play trial;		/* a play between best and offer: see improve() */
	double step;			/* fraction of the way from best to offer that is tried next, at most 1 */
	double proved;			/* ms, the bound that the play best proves */
	double bound;			/* ms */
	/* ms: the bound, and the value that the offer proved, at the last test for the end */
	double before, offered;
	long ask_at;			/* round of the next test for the end */
	double slowly;			/* ms, the bound at the last test for slow progress */
	double *excess;			/* [rows], MB above the limits in the last round */
	double *costs;			/* [slots], ms, sum of all rounds */
	double scale;			/* ms, unit of sharpness and rates: the first horizon */
	struct layer_prices prices;
	int rows;			/* total number of rows of memory */
	double *room;			/* [rows], MB */
	/* [slots], ms: costs of this round's layouts, then the costs to which paths respond */
	double *cost;
	double *memory;			/* [rows], MB of this round's layouts */
	double *layers;			/* [pieces][bodies], mean of this round's layouts, pieces in model order */
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

/* Set TO to TO * KEEP + FROM * PART. */
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
	size_t slots = (size_t)p->evaluator.slots;
	struct ordered *o;

	if (p->chunks == 1 || p->net->nbodies == 1 || !layout_dp_can(p))
		return NULL;
	o = xcalloc(1, sizeof *o);
	o->p = p;
	o->layouts = layout_dp_new(p);
	o->paths = soft_paths_new(&p->evaluator);
	o->prices = layer_prices_new(p);
	o->rows = o->prices.rows;
	o->room = xcalloc((size_t)o->rows, sizeof *o->room);
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++)
			o->room[o->prices.first_row[s] + i] = memory_room(p, s, i);
	o->now = play_new(p, o->rows);
	o->sum = play_new(p, o->rows);
	o->best = play_new(p, o->rows);
	o->offer = play_new(p, o->rows);
	o->trial = play_new(p, o->rows);
	o->can = true;
	o->step = 1;
	o->excess = xcalloc((size_t)o->rows, sizeof *o->excess);
	o->costs = xcalloc(slots, sizeof *o->costs);
	o->memory = xcalloc((size_t)o->rows, sizeof *o->memory);
	o->cost = xcalloc(slots, sizeof *o->cost);
	o->layers = xcalloc((size_t)p->pieces * (size_t)p->net->nbodies, sizeof *o->layers);
	return o;
}

void
ordered_free(struct ordered *o)
{
	layout_dp_free(&o->layouts);
	soft_paths_free(&o->paths);
	layer_prices_free(&o->prices);
	free(o->room);
	free(o->excess);
	free(o->costs);
	play_free(&o->now);
	play_free(&o->sum);
	play_free(&o->best);
	play_free(&o->offer);
	play_free(&o->trial);
	free(o->memory);
	free(o->cost);
	free(o->layers);
	free(o);
}

double
ordered_terms(const struct ordered *o)
{
	return 4.0 * o->p->evaluator.noperations + 2.0 * (double)o->rounds;
}

/*
 * Return a lower bound, ms, on every plan shorter than the horizon. AGAINST: the mean of paths and the prices of memory
 * that prove the bound.
 */
static double
prove(struct ordered *o, const struct play *against)
{
	double magnitude = layer_prices_set(&o->prices, &against->visits, against->price, 0);
	double constant = path_constant(o->p, &against->visits), bound;

	bound = layout_dp_least(&o->layouts, o->prices.price) + constant;
	magnitude += fabs(constant);
	for (int i = 0; i < o->rows; i++) {
		bound -= against->price[i] * o->room[i];
		magnitude += fabs(against->price[i] * o->room[i]);
	}
	/* The rounding of the mean of paths: operations per path, and rounds. */
	return proved_bound(o->p, bound, magnitude, ordered_terms(o) + 2.0 * o->p->evaluator.slots + o->rows);
}

/*
 * Play a round: layouts respond to the paths, then paths and prices respond to the layouts. Return false if weights
 * overflow.
 */
static bool
play_round(struct ordered *o)
{
	const struct problem *p = o->p;
	double k = (double)o->rounds + PRIOR, limits = 0;

	/* Count the last round twice, because it is the best prediction of the next round. */
	play_add(o, &o->offer, 0, &o->sum, 1 / (k + 1));
	play_add(o, &o->offer, 1, &o->now, 1 / (k + 1));
	layer_prices_set(&o->prices, &o->offer.visits, o->offer.price, LAYOUT_RATE / o->scale * (k + 1));
	if (!layout_dp_mean(&o->layouts, o->prices.price, LAYOUT_RATE / o->scale * (k + 1), o->layers))
		return false;
	layer_prices_measure(&o->prices, o->layers, o->cost, o->memory);
	o->rounds++;
	for (int i = 0; i < p->evaluator.slots; i++) {
		double now = o->cost[i];

		o->cost[i] = (o->costs[i] + 2 * now) / (double)(o->rounds + 1);
		o->costs[i] += now;
	}
	soft_paths_run(&o->paths, o->cost, PATH_RATE / o->scale * (double)(o->rounds + 1), &o->now.visits);
	for (int s = 0; s < p->stages; s++)
		limits += p->limit[s];
	for (int i = 0; i < o->rows; i++) {
		double excess = o->memory[i] - o->room[i];
		double rate = PRICE_RATE * o->scale * p->stages / (limits * limits);

		o->now.price[i] = fmax(0, o->now.price[i] + rate * (2 * excess - o->excess[i]));
		o->excess[i] = excess;
	}
	play_add(o, &o->sum, 1, &o->now, 1);
	return true;
}

/* Record MS, the value that best proves, and raise the bound to it. Values above the horizon are not meaningful. */
static void
take_proof(struct ordered *o, double ms)
{
	o->proved = ms;
	o->bound = fmax(o->bound, fmin(ms, o->horizon));
}

/*
 * Try a play between best and offer if the offer is not better than the best. The proved bound is concave in the mean
 * of paths and prices, so such a play may prove more.
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
	if (from->paths.n > 0) {
		visits_copy(o->p, &o->now.visits, &from->weight);
		memcpy(o->now.price, from->price, (size_t)o->rows * sizeof *o->now.price);
	} else {
		/* Start with a path through all operations of each stage. */
		for (uint32_t i = 0; i < o->p->evaluator.noperations; i++)
			o->now.visits.at[o->p->evaluator.operation[i].slot] += 1.0 / o->p->evaluator.whole;
	}
	play_add(o, &o->sum, 0, &o->now, PRIOR);
	play_add(o, &o->best, 0, &o->now, 1);
	take_proof(o, prove(o, &o->best));
}

/* Test for the end: whether neither the bound nor the value proved by the offer rose in the last rounds. */
static void
ask(struct ordered *o)
{
	double offers = o->rounds > 0 ? prove(o, &o->offer) : 0;

	o->done = o->bound < o->before * (1 + HARDLY) && offers < o->offered + HARDLY * o->bound;
	o->before = o->bound;
	o->offered = offers;
	o->ask_at = o->rounds + (o->rounds / 2 > ROUNDS_LEAST ? o->rounds / 2 : ROUNDS_LEAST);
}

static bool
narrows(const struct ordered *o, double horizon)
{
	return o->can && (!o->begun || horizon < o->horizon * (1 - NARROWER));
}

/* Drop the layouts that no plan shorter than HORIZON has. The value proved by best may rise then. */
static void
narrow(struct ordered *o, const struct relaxed *from, double horizon)
{
	o->horizon = horizon;
	o->can = layout_dp_narrow(&o->layouts, horizon);
	if (!o->can) {
		if (o->layouts.none)
			o->bound = fmax(o->bound, horizon);
		return;
	}
	if (!o->begun)
		begin(o, from);
	else
		take_proof(o, prove(o, &o->best));
	ask(o);
	o->done = false;
}

void
ordered_run(struct ordered *o, const struct relaxed *from, double horizon, long rounds, double deadline)
{
	if (narrows(o, horizon))
		narrow(o, from, horizon);
	for (long i = 0; i < rounds && !ordered_done(o, horizon) && clock_left(deadline); i++) {
		o->can = play_round(o);
		if (o->can && o->rounds % PROVE_EVERY == 0)
			improve(o);
		if (o->rounds >= o->ask_at)
			ask(o);
		if (o->rounds % SLOW_EVERY == 0) {
			o->slow = o->bound < o->slowly * (1 + SLOW);
			o->slowly = o->bound;
		}
	}
}

double
ordered_bound(const struct ordered *o)
{
	return o->bound;
}

const struct visits *
ordered_weight(const struct ordered *o)
{
	return o->begun ? &o->best.visits : NULL;
}

bool
ordered_slow(const struct ordered *o)
{
	return o->slow;
}

bool
ordered_done(const struct ordered *o, double horizon)
{
	return o->bound >= horizon ||
	    ((!o->can || o->done || (o->begun && o->bound >= o->horizon)) && !narrows(o, horizon));
}

double
ordered_work(const struct ordered *o)
{
	return OPERATIONS_A_PATH * o->p->evaluator.noperations + OPERATIONS_AN_EDGE * (double)o->layouts.edges;
}
