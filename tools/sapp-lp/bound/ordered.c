/* Ordered relaxation: paths and layouts answer each other in rounds. */
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
	PRIOR = 8,		/* rounds that the relaxation's mean of paths counts for */
	KEPT = 128,		/* rounds at most that count on within narrower borders */
	PROVE_EVERY = 16,	/* rounds */
	ROUNDS_LEAST = 512,	/* before it is asked whether it is done */
};
/* Sharpness after a round: that of a path or a layout which is longer by the step over this. */
static const double PATH_RATE = 280, LAYOUT_RATE = 46;
/* By which prices move a round, in units of the price at which all memory costs the step, a limit beyond limits. */
static const double PRICE_RATE = 6e-3;
static const double HARDLY = 2e-4;	/* relative gains in half as many rounds again when it is done */
static const double NARROWER = 5e-3;	/* a horizon that is lower by so much, relatively, is worth going on for */
/* Mean layers on the wrong side of a border for it to be worth dividing. */
static const double CROSSED = 0.02;
static const double STEP_SHRINKS = 3, STEP_LEAST = 0.01;	/* where steps do not raise the bound */
static const double OPERATIONS_A_PATH = 12, OPERATIONS_AN_EDGE = 2;	/* that take about as long */

/* What a side has played: a mean of paths, and prices of memory. */
struct play {
	struct visits visits;
	double *price;		/* [rows], ms per MB */
};

/* How far the rounds have come within some borders. */
struct stand {
	long number;			/* no other has had */
	struct range *border;		/* [bodies - 1] */
	bool can, begun, done;
	double horizon;			/* ms, for which layouts were left out */
	long rounds;
	/* In this round; in all; and what proves the bound. */
	struct play now, sum, best;
	double proved, offered;		/* ms, by the best one; by the offer when it was last asked whether it rises */
	double step;			/* part of the way to the offer that is tried next, at most 1 */
	double *excess;			/* [rows], MB, of the last round */
	double *costs;			/* [slots], ms, of all rounds */
	double *layers;			/* [pieces][bodies], pieces in the model's order, of so many rounds here */
	long averaged;
	double bound, before;		/* ms; the bound when that was last asked */
	long ask_at;			/* round at which to ask again */
};

struct ordered {
	const struct problem *p;
	struct layout_dp layouts;
	struct soft_paths paths;
	struct stand *at;
	long stands, narrowed;		/* so far; number of the one whose borders and horizon the layouts have */
	double scale;			/* ms, step that rates are of */
	struct layer_prices prices;
	int rows;			/* of memory, in all */
	double *room;			/* [rows], MB */
	struct play offer, trial;	/* what is played against; and a step to that from what proves the bound */
	double *cost, *asked;		/* [slots], ms, of this round, and what paths are sought under */
	double *memory;			/* [rows], MB */
	double *layers;			/* [pieces][bodies], pieces in the model's order */
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

static size_t
layer_slots(const struct problem *p)
{
	return (size_t)p->pieces * (size_t)p->net->nbodies;
}

struct ordered *
ordered_new(const struct problem *p)
{
	size_t each = layer_slots(p), slots = (size_t)p->evaluator.slots;
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
	o->offer = play_new(p, o->rows);
	o->trial = play_new(p, o->rows);
	o->memory = xcalloc((size_t)o->rows, sizeof *o->memory);
	o->cost = xcalloc(slots, sizeof *o->cost);
	o->asked = xcalloc(slots, sizeof *o->asked);
	o->layers = xcalloc(each, sizeof *o->layers);
	return o;
}

void
ordered_free(struct ordered *o)
{
	layout_dp_free(&o->layouts);
	soft_paths_free(&o->paths);
	layer_prices_free(&o->prices);
	free(o->room);
	play_free(&o->offer);
	play_free(&o->trial);
	free(o->memory);
	free(o->cost);
	free(o->asked);
	free(o->layers);
	free(o);
}

struct stand *
stand_new(struct ordered *o)
{
	const struct problem *p = o->p;
	struct stand *n = xcalloc(1, sizeof *n);

	n->number = ++o->stands;
	n->border = ranges_new(p->net->nbodies - 1, NULL);
	n->can = true;
	n->now = play_new(p, o->rows);
	n->sum = play_new(p, o->rows);
	n->best = play_new(p, o->rows);
	n->step = 1;
	n->excess = xcalloc((size_t)o->rows, sizeof *n->excess);
	n->costs = xcalloc((size_t)p->evaluator.slots, sizeof *n->costs);
	n->layers = xcalloc(layer_slots(p), sizeof *n->layers);
	return n;
}

struct stand *
stand_part(struct ordered *o, const struct stand *from, int border, struct range within)
{
	struct stand *n = stand_new(o);
	double part = from->rounds > KEPT ? KEPT / (double)from->rounds : 1;

	memcpy(n->border, from->border, ((size_t)o->p->net->nbodies - 1) * sizeof *n->border);
	n->border[border] = within;
	n->begun = from->begun;
	n->rounds = (long)(part * (double)from->rounds);
	play_add(o, &n->now, 0, &from->now, 1);
	play_add(o, &n->sum, 0, &from->best, (double)n->rounds + PRIOR);
	play_add(o, &n->best, 0, &from->best, 1);
	for (int i = 0; i < o->p->evaluator.slots; i++)
		n->costs[i] = part * from->costs[i];
	n->bound = from->bound;
	n->horizon = INFINITY;
	return n;
}

void
stand_free(struct stand *n)
{
	free(n->border);
	play_free(&n->now);
	play_free(&n->sum);
	play_free(&n->best);
	free(n->excess);
	free(n->costs);
	free(n->layers);
	free(n);
}

double
stand_terms(const struct ordered *o, const struct stand *at)
{
	return 4.0 * o->p->evaluator.noperations + 2.0 * (double)at->rounds;
}

/* A lower bound on every plan shorter than the horizon, ms, from a mean of paths and prices of memory. */
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
	/* Rounding in the mean of paths is that of the operations on each, and of the rounds. */
	return proved_bound(o->p, bound, magnitude, stand_terms(o, o->at) + 2.0 * o->p->evaluator.slots + o->rows);
}

/* Layouts answer the paths, and paths and prices the layouts; false when layouts' weights cannot be held. */
static bool
play_round(struct ordered *o)
{
	const struct problem *p = o->p;
	double k = (double)o->at->rounds + PRIOR, limits = 0;

	/* The last round counts twice: it is what the next one is most likely to be. */
	play_add(o, &o->offer, 0, &o->at->sum, 1 / (k + 1));
	play_add(o, &o->offer, 1, &o->at->now, 1 / (k + 1));
	layer_prices_set(&o->prices, &o->offer.visits, o->offer.price, LAYOUT_RATE / o->scale * (k + 1));
	if (!layout_dp_mean(&o->layouts, o->prices.price, LAYOUT_RATE / o->scale * (k + 1), o->layers))
		return false;
	layer_prices_measure(&o->prices, o->layers, o->cost, o->memory);
	o->at->rounds++;
	o->at->averaged++;
	for (size_t i = 0; i < layer_slots(p); i++)
		o->at->layers[i] += o->layers[i];
	for (int i = 0; i < p->evaluator.slots; i++) {
		o->asked[i] = (o->at->costs[i] + 2 * o->cost[i]) / (double)(o->at->rounds + 1);
		o->at->costs[i] += o->cost[i];
	}
	soft_paths_run(&o->paths, o->asked, PATH_RATE / o->scale * (double)(o->at->rounds + 1), &o->at->now.visits);
	for (int s = 0; s < p->stages; s++)
		limits += p->limit[s];
	for (int i = 0; i < o->rows; i++) {
		double excess = o->memory[i] - o->room[i], rate = PRICE_RATE * o->scale * p->stages / (limits * limits);

		o->at->now.price[i] = fmax(0, o->at->now.price[i] + rate * (2 * excess - o->at->excess[i]));
		o->at->excess[i] = excess;
	}
	play_add(o, &o->at->sum, 1, &o->at->now, 1);
	return true;
}

/* What the best one proves. */
static void
take_proof(struct ordered *o, double ms)
{
	o->at->proved = ms;
	o->at->bound = fmax(o->at->bound, fmin(ms, o->at->horizon));
}

/*
 * What a mean of paths and prices proves is a concave function of them: where the offer itself does not prove more than
 * the best one, a point between the two may.
 */
static void
improve(struct ordered *o)
{
	struct play was = o->at->best;
	double proves;

	play_add(o, &o->trial, 0, &o->at->best, 1 - o->at->step);
	play_add(o, &o->trial, 1, &o->offer, o->at->step);
	proves = prove(o, &o->trial);
	if (proves > o->at->proved) {
		o->at->best = o->trial;
		o->trial = was;
		take_proof(o, proves);
		o->at->step = fmin(o->at->step * STEP_SHRINKS, 1);
	} else
		o->at->step = o->at->step < STEP_LEAST ? 1 : o->at->step / STEP_SHRINKS;
}

static void
begin(struct ordered *o, const struct relaxed *from)
{
	o->at->begun = true;
	o->scale = o->at->horizon;
	if (from->rounds > 0) {
		visits_copy(o->p, &o->at->now.visits, &from->weight);
		memcpy(o->at->now.price, from->price, (size_t)o->rows * sizeof *o->at->now.price);
	} else {
		/* Of each stage the path through all that it does. */
		for (uint32_t i = 0; i < o->p->evaluator.noperations; i++)
			o->at->now.visits.at[o->p->evaluator.operation[i].slot] += 1.0 / o->p->stages;
	}
	play_add(o, &o->at->sum, 0, &o->at->now, PRIOR);
	play_add(o, &o->at->best, 0, &o->at->now, 1);
	take_proof(o, prove(o, &o->at->best));
}

/* After rounds in which the bound hardly rose, nor what the offer proves, there is no more to gain. */
static void
ask(struct ordered *o)
{
	double offers = o->at->rounds > 0 ? prove(o, &o->offer) : 0;

	o->at->done = o->at->bound < o->at->before * (1 + HARDLY) && offers < o->at->offered + HARDLY * o->at->bound;
	o->at->before = o->at->bound;
	o->at->offered = offers;
	o->at->ask_at = o->at->rounds + (o->at->rounds / 2 > ROUNDS_LEAST ? o->at->rounds / 2 : ROUNDS_LEAST);
}

static bool
narrows(const struct stand *at, double horizon)
{
	return at->can && (!at->begun || horizon < at->horizon * (1 - NARROWER));
}

/* Leave out layouts, for what is at stand. */
static void
narrow(struct ordered *o, const struct relaxed *from, double horizon)
{
	bool newly = narrows(o->at, horizon);

	o->narrowed = o->at->number;
	if (newly)
		o->at->horizon = horizon;
	o->at->can = layout_dp_narrow(&o->layouts, o->at->border, o->at->horizon);
	if (!o->at->can) {
		if (o->layouts.none)
			o->at->bound = fmax(o->at->bound, o->at->horizon);
		return;
	}
	if (!o->at->begun)
		begin(o, from);
	else if (newly)
		take_proof(o, prove(o, &o->at->best));
	if (newly) {
		ask(o);
		o->at->done = false;
	}
}

void
ordered_run(struct ordered *o, struct stand *at, const struct relaxed *from, double horizon, long rounds,
    double deadline)
{
	o->at = at;
	if (at->can && (o->narrowed != at->number || narrows(at, horizon)))
		narrow(o, from, horizon);
	for (long i = 0; i < rounds && !stand_done(at, horizon) && clock_left(deadline); i++) {
		at->can = play_round(o);
		if (at->can && at->rounds % PROVE_EVERY == 0)
			improve(o);
		if (at->rounds >= at->ask_at)
			ask(o);
	}
}

double
stand_bound(const struct stand *at)
{
	return at->bound;
}

const struct visits *
stand_weight(const struct stand *at)
{
	return at->begun ? &at->best.visits : NULL;
}

bool
stand_done(const struct stand *at, double horizon)
{
	return (!at->can || at->done || (at->begun && at->bound >= at->horizon)) && !narrows(at, horizon);
}

double
ordered_work(const struct ordered *o)
{
	return OPERATIONS_A_PATH * o->p->evaluator.noperations + OPERATIONS_AN_EDGE * (double)o->layouts.edges;
}

/*
 * Layers of bodies up to BORDER that stand behind the piece N, and those of later ones that do not, in the mean of all
 * rounds: of the latter less of the former, and both.
 */
static double
crossing(const struct ordered *o, const struct stand *at, int border, int n, double *both)
{
	int bodies = o->p->net->nbodies;
	double before = 0, behind = 0;

	for (int i = 0; i < o->p->pieces; i++)
		for (int b = 0; b < bodies; b++) {
			before += i <= n && b > border ? at->layers[i * bodies + b] : 0;
			behind += i > n && b <= border ? at->layers[i * bodies + b] : 0;
		}
	*both = (before + behind) / (double)at->averaged;
	return before - behind;
}

bool
stand_crossed(const struct ordered *o, const struct stand *at, int *border, int *last)
{
	double most = CROSSED;

	for (int b = 0; b < o->p->net->nbodies - 1 && at->averaged > 0; b++) {
		int low = (int)fmax(at->border[b].low, 0), high = (int)fmin(at->border[b].high, o->p->pieces - 1);
		double both;

		/* More are before a later piece, and fewer behind. */
		while (low < high - 1) {
			int middle = (low + high - 1) / 2;

			if (crossing(o, at, b, middle, &both) < 0)
				low = middle + 1;
			else
				high = middle + 1;
		}
		crossing(o, at, b, low, &both);
		if (low < fmin(at->border[b].high, o->p->pieces - 1) && both > most) {
			most = both;
			*border = b;
			*last = low;
		}
	}
	return most > CROSSED;
}

const struct range *
stand_borders(const struct stand *at)
{
	return at->border;
}
