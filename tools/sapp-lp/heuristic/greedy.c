/* Greedy: pieces filled in the model's order, bisection over what each may take. */
#include "greedy.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

enum { TIME_HALVINGS = 30, MEMORY_HALVINGS = 100 };
static const double CLOSE = 1e-8;	/* MB, at which bisection of the raise ends */

struct greedy {
	const struct problem *p;
	int *live;		/* [pieces], live micro-batches in the row of the stage that has most in all */
	double *room;		/* [pieces], MB, the piece's share of its stage's limit */
	double raise;		/* MB, of every limit */
	double most;		/* ms that a piece may be busy with a micro-batch; INFINITY: any */
};

/* MB of a layer with LIVE micro-batches, everything recomputed, on average over the model. */
static double
mean_memory(const struct problem *p, int live)
{
	double sum = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];
		double kept = INFINITY;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				kept = fmin(kept, body->activation[k]);
		sum += body->layers * (body->parameter + live * kept);
	}
	return sum / p->net->layers;
}

static struct greedy
greedy_new(const struct problem *p)
{
	struct greedy d = { .p = p, .most = INFINITY, .live = xcalloc((size_t)p->pieces, sizeof *d.live),
		.room = xcalloc((size_t)p->pieces, sizeof *d.room) };

	for (int s = 0; s < p->stages; s++) {
		const struct rows *rows = &p->evaluator.rows[s];
		double sum = 0;
		int busiest = 0, highest = -1;

		for (int r = 0; r < rows->n; r++) {
			int live = 0;

			for (int v = 0; v < p->chunks; v++)
				live += rows->live[r * p->chunks + v];
			if (live > highest) {
				highest = live;
				busiest = r;
			}
		}
		for (int v = 0; v < p->chunks; v++) {
			d.live[v * p->stages + s] = rows->n > 0 ? rows->live[busiest * p->chunks + v] : 0;
			sum += mean_memory(p, d.live[v * p->stages + s]);
		}
		for (int v = 0; v < p->chunks; v++)
			d.room[v * p->stages + s] = (p->limit[s] - stage_ends(p, s)) *
			    (sum > 0 ? mean_memory(p, d.live[v * p->stages + s]) / sum : 1.0 / p->chunks);
	}
	return d;
}

static void
greedy_free(struct greedy *d)
{
	free(d->live);
	free(d->room);
}

static double
room_of(const struct greedy *d, int piece)
{
	return d->room[piece] + d->raise / d->p->chunks;
}

/*
 * A lower bound on the ms that a piece is busy with a micro-batch: its memory relaxed by a Lagrange multiplier (Everett
 * 1963), a few of which are tried.
 */
static double
busy(const struct greedy *d, int piece, int content)
{
	const struct problem *p = d->p;
	const struct content *c = &p->contents.content[content];
	const struct mix none = { 0 };
	struct times t = piece_times(p, piece, c, &none);
	double room = room_of(d, piece) - c->parameter, best = c->backward, unit;

	unit = room > 0 ? best / room : 0;
	for (double each = unit / 64; each < 8 * unit; each *= 1.5)
		best = fmax(best, contents_least(&p->contents, content, each * d->live[piece], 1) - each * room);
	return t.forward + t.backward + best;
}

static bool
takes(const struct greedy *d, int piece, int first, int layers)
{
	int content = contents_find(&d->p->contents, first, layers);
	const struct content *c;

	if (content < 0)
		return false;
	c = &d->p->contents.content[content];
	return c->parameter + d->live[piece] * c->activation <= room_of(d, piece) + MEMORY_SLACK / 2 &&
	    (d->most == INFINITY || busy(d, piece, content) <= d->most);
}

/*
 * Fill the pieces, each with as many layers as it takes, but one left for each behind it; false when layers are left.
 */
static bool
run(const struct greedy *d, int *layers)
{
	const struct problem *p = d->p;
	int first = 0;

	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], low = 0, high = p->net->layers - first - (p->pieces - n - 1);

		if (high > p->contents.most)
			high = p->contents.most;
		/* It takes LOW, and not more than HIGH. */
		while (low < high) {
			int middle = (low + high + 1) / 2;

			if (takes(d, piece, first, middle))
				low = middle;
			else
				high = middle - 1;
		}
		if (low == 0)
			return false;
		layers[piece] = low;
		first += low;
	}
	return first == p->net->layers;
}

double
greedy_memory(const struct problem *p, int *layers)
{
	struct greedy d = greedy_new(p);
	double low = 0, high = 1;

	for (int s = 0; s < p->stages; s++)
		low = fmin(low, -p->limit[s]);
	for (d.raise = high; !run(&d, layers); d.raise = high *= 2)
		if (high == INFINITY) {
			greedy_free(&d);
			return INFINITY;
		}
	for (int i = 0; i < MEMORY_HALVINGS && high - low > CLOSE; i++) {
		d.raise = (low + high) / 2;
		if (run(&d, layers))
			high = d.raise;
		else
			low = d.raise;
	}
	d.raise = high;
	run(&d, layers);
	greedy_free(&d);
	return high;
}

bool
greedy_time(const struct problem *p, int *layers)
{
	struct greedy d = greedy_new(p);
	double low = 0, high = p->net->head.forward + p->net->head.backward + p->net->tail.forward + p->net->tail.backward;
	bool fits = run(&d, layers);

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];
		double slowest = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				slowest = fmax(slowest, body->backward[k]);
		high += body->layers * (body->forward + slowest);
	}
	for (int i = 0; i < TIME_HALVINGS && fits; i++) {
		d.most = (low + high) / 2;
		if (run(&d, layers))
			high = d.most;
		else
			low = d.most;
	}
	d.most = high;
	fits = fits && run(&d, layers);
	greedy_free(&d);
	return fits;
}
