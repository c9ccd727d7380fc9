/*
 * The least step that the work of the stages allows where each has several chunks.  Stage s begins when the first
 * micro-batch has come through the pieces before its first one, and after its last operation a backward goes back
 * through those: step >= lead_s + M x work_s.  Every piece has its fewest layers.  The order of the layers is left
 * aside: for a step to try, the stages are filled one after the other, keeping for each number of cheap layers placed
 * the most dear ones that there can be with them.  Assumed is less than any plan needs: a layer takes the least time of
 * its class, and the stages' order of layers is free.  The lower end of a bisection is returned, with rounding taken
 * off.
 */
#include "chunks_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"

enum { HALVINGS = 45 };
static const double most_work = 2e6;	/* numbers of layers to look at, for one step */
static const double untimed_work = 1e5;	/* the same, up to which the clock is not looked at */

struct stage {
	double lead;		/* ms, once */
	double ends;		/* ms of a micro-batch, head and tail */
};

struct bound {
	const struct problem *p;
	struct stage *stage;
	/*
	 * Layers in two classes, each as cheap as the cheapest one in it: those of the body with most layers with all
	 * dearer ones, and the rest.
	 */
	int cheap, dear;
	double cheap_work, dear_work;		/* ms of a micro-batch, forward and backward */
	int never;		/* layers that are not recomputed */
	double *again;		/* [layers + 1], ms: least recomputation of a stage with so many */
};

static double
body_work(const struct body *b)
{
	return b->forward + body_least_backward(b);
}

static void
classify(struct bound *x)
{
	const struct network *net = x->p->net;
	const struct body *largest = net->body;
	double split;

	for (int b = 1; b < net->nbodies; b++)
		if (net->body[b].layers > largest->layers)
			largest = &net->body[b];
	split = body_work(largest);
	x->cheap_work = x->dear_work = split;
	for (int b = 0; b < net->nbodies; b++) {
		double work = body_work(&net->body[b]);

		if (work < split) {
			x->cheap += net->body[b].layers;
			x->cheap_work = fmin(x->cheap_work, work);
		} else {
			x->dear += net->body[b].layers;
		}
	}
}

/* The fewest layers of a stage that are recomputed: all but one piece has one layer, or none. */
static int
least_recomputed(const struct bound *x, int layers)
{
	int most = x->p->net->first_layers, others = x->p->net->empty ? 0 : x->p->chunks - 1, n = layers - x->never;

	if (x->never == 0 && n > others)
		n = others + (n - others < most ? n - others : most);
	else
		n = n < most ? n : most;
	return n > 0 && most > 0 ? n : 0;
}

static void
recomputation(struct bound *x)
{
	const struct network *net = x->p->net;
	double least = INFINITY;

	for (int b = 0; b < net->nbodies; b++) {
		const struct body *body = &net->body[b];

		if (b >= net->first_bodies || body->side != 0)
			x->never += body->layers;
		else if (body->has[RECOMPUTE_FULL] && body->has[RECOMPUTE_NONE])
			least = fmin(least, fmax(0, body->backward[RECOMPUTE_FULL] - body->backward[RECOMPUTE_NONE]));
		else
			least = 0;
	}
	x->again = xcalloc((size_t)net->layers + 1, sizeof *x->again);
	for (int n = 1; n <= net->layers && net->first_only && least < INFINITY; n++)
		x->again[n] = least_recomputed(x, n) * least;
}

/* Pieces in the model's order; of each stage the first one counts. */
static void
leads(struct bound *x, bool whole)
{
	const struct problem *p = x->p;
	double forward = INFINITY, work = INFINITY, pace = INFINITY, lead;

	for (int b = 0; b < p->net->nbodies; b++) {
		forward = fmin(forward, p->net->body[b].forward);
		work = fmin(work, body_work(&p->net->body[b]));
	}
	lead = p->net->head.forward + (whole ? p->net->head.backward : 0);
	for (int s = 0; s < p->stages; s++)
		pace = fmin(pace, p->pace[s]);
	x->stage = xcalloc((size_t)p->stages, sizeof *x->stage);
	for (int i = p->pieces - 1; i >= 0; i--) {
		struct stage *s = &x->stage[p->piece[i] % p->stages];
		struct times t = end_times(p, p->piece[i]);

		s->ends += t.forward + t.backward;
		s->lead = i == 0 ? 0 : pace * (lead + p->needed[i] * (whole ? work : forward));
	}
}

/* The most dear layers that a stage can have beside CHEAP others in CAPACITY ms; -1: too much as it is. */
static int
most_dear(const struct bound *x, int cheap, int dear, double capacity)
{
	while (dear >= 0 && cheap * x->cheap_work + dear * x->dear_work + x->again[cheap + dear] > capacity)
		dear--;
	return dear;
}

static bool
can(const struct bound *x, double step)
{
	const struct problem *p = x->p;
	size_t n = (size_t)x->cheap + 1;
	int *most = xcalloc(n, sizeof *most), *next = xcalloc(n, sizeof *next), *swap;
	bool good;

	for (size_t i = 1; i < n; i++)
		most[i] = -1;
	for (int s = 0; s < p->stages; s++) {
		int fewest = stage_fewest(p, s);
		double capacity = (step - x->stage[s].lead) / (p->micro * p->pace[s]) - x->stage[s].ends;

		for (size_t i = 0; i < n; i++)
			next[i] = -1;
		for (int c = 0, d = x->dear; c <= x->cheap; c++) {
			d = most_dear(x, c, d, capacity);
			if (d < 0)
				break;
			for (int i = 0; c + d >= fewest && i + c <= x->cheap; i++)
				if (most[i] >= 0 && most[i] + d > next[i + c])
					next[i + c] = most[i] + d < x->dear ? most[i] + d : x->dear;
		}
		swap = most;
		most = next;
		next = swap;
	}
	good = most[x->cheap] >= x->dear;
	free(most);
	free(next);
	return good;
}

double
chunks_bound(const struct problem *p, double deadline)
{
	enum schedule_kind kind = p->shape.kind;
	bool whole = kind == SCHEDULE_GPIPE || kind == SCHEDULE_VPP || kind == SCHEDULE_VPP_LESS;
	struct bound x = { .p = p };
	double low = 0, high = 1, work;

	/* Operations that run together may take less, and an order of one's own may lay pieces otherwise. */
	if (p->stages != p->shape.stages || (!whole && kind != SCHEDULE_ZBV))
		return 0;
	classify(&x);
	work = (double)p->stages * x.cheap * x.cheap;
	if (work > most_work)
		return 0;
	recomputation(&x);
	leads(&x, whole);
	while (high < 1e30 && !can(&x, high)) {
		low = high;
		high *= 2;
	}
	for (int i = 0; i < HALVINGS && (work <= untimed_work || clock_left(deadline)); i++) {
		double middle = (low + high) / 2;

		if (can(&x, middle))
			high = middle;
		else
			low = middle;
	}
	free(x.stage);
	free(x.again);
	return high < 1e30 ? proved_bound(p, low, low, 4 * p->net->nbodies * RECOMPUTE_KINDS + 2 * p->pieces + 8) : 0;
}
