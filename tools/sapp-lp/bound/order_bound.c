/* Order bound: load and longest chain. */
#include "order_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

#define ROUNDS 60	/* of bisection: less than rounding is left */

/* Of the layers in the model's order, from the first to before each: ms of one micro-batch. */
struct sums {
	int layers;
	double *forward, *input, *all;	/* [layers + 1]; input: backwards without the weights' part */
	double longest;			/* operation of the layers and the ends, forward */
};

/* What a backward leaves to its W at most. */
static double
input_part(double backward)
{
	return backward / 2;
}

static struct sums
sums_new(const struct network *net)
{
	size_t n = (size_t)net->layers + 1;
	struct sums s = { net->layers, xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
	    xcalloc(n, sizeof(double)), 0 };
	int at = 0;

	for (int b = 0; b < net->nbodies; b++) {
		const struct body *body = &net->body[b];
		double backward = INFINITY;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				backward = fmin(backward, body->backward[k]);
		for (int i = 0; i < body->layers; i++, at++) {
			s.forward[at + 1] = s.forward[at] + body->forward;
			s.input[at + 1] = s.input[at] + fmax(0, backward - input_part(body->backward[RECOMPUTE_NONE]));
			s.all[at + 1] = s.all[at] + body->forward + backward;
		}
	}
	return s;
}

static void
sums_free(struct sums *s)
{
	free(s->forward);
	free(s->input);
	free(s->all);
}

/* What a stage alone makes of the step, with layers FROM to TO, DELAY ms away from the first stage. */
static double
stage_step(const struct problem *p, const struct sums *s, int from, int to, double delay, bool first, bool last)
{
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	double m = p->micro;
	double forward = s->forward[to] - s->forward[from] + (first ? head->forward : 0) + (last ? tail->forward : 0);
	double input = s->input[to] - s->input[from] + (first ? head->backward - input_part(head->backward) : 0) +
	    (last ? tail->backward - input_part(tail->backward) : 0);
	double all = s->all[to] - s->all[from] + (first ? head->forward + head->backward : 0) +
	    (last ? tail->forward + tail->backward : 0);
	double before = delay + s->forward[from] + (first ? 0 : head->forward);
	double back = delay + s->input[from] + (first ? 0 : head->backward - input_part(head->backward));

	return before + fmax(m * all, m * (forward + input) + back);
}

/*
 * Can the layers be placed, one chunk a stage, so that no stage alone takes longer? The more a stage takes the better.
 */
static bool
can_place(const struct problem *p, const struct sums *s, double step)
{
	int at = 0;

	for (int stage = 0; stage < p->stages; stage++) {
		bool first = stage == 0, last = stage == p->stages - 1;
		int to = at;

		if (stage_step(p, s, at, at, stage * p->comm, first, last) > step && (first || last))
			return false;
		while (to < s->layers && stage_step(p, s, at, to + 1, stage * p->comm, first, last) <= step)
			to++;
		at = to;
	}
	return at == s->layers;
}

/* The load of the stages together: the one that is reached as the N-th waits for N pieces of a layer at least. */
static double
shared_step(const struct problem *p, const struct sums *s)
{
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	double all = s->all[s->layers] + head->forward + head->backward + tail->forward + tail->backward,
	    least = INFINITY;

	for (int i = 0; i < s->layers; i++)
		least = fmin(least, s->forward[i + 1] - s->forward[i]);
	return p->micro * all / p->stages + (p->stages - 1) / 2. * (least + p->comm);
}

double
order_bound(const struct problem *p)
{
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	struct sums s = sums_new(p->net);
	double ends = head->backward + tail->backward;
	double chain = head->forward + tail->forward + ends - input_part(ends) + s.forward[s.layers] +
	    s.input[s.layers] + 2 * (p->stages - 1) * p->comm, low, high;

	low = fmax(chain, shared_step(p, &s));
	high = 2 * low;
	if (p->chunks == 1) {
		while (!can_place(p, &s, high))
			high *= 2;
		for (int i = 0; i < ROUNDS; i++) {
			double middle = low + (high - low) / 2;

			if (can_place(p, &s, middle))
				high = middle;
			else
				low = middle;
		}
	}
	sums_free(&s);
	/* Sums of so many numbers are not exact, and a bound must not be above the step that it belongs to. */
	return low * (1 - 1e-11);
}
