#include "order_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/model/weights.h"
#include "load_bound.h"

/* Cumulative sums over the layers in model order, ms per micro-batch: entry n is the sum of the first n layers. */
struct sums {
	const struct problem *p;
	int layers;
	double *forward, *input, *all;	/* [layers + 1]; input: backwards without the weight gradient part */
};

static struct sums
sums_new(const struct problem *p)
{
	const struct network *net = p->net;
	size_t n = (size_t)net->layers + 1;
	struct sums s = { p, net->layers, xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
	    xcalloc(n, sizeof(double)) };
	int at = 0;

	for (int b = 0; b < net->nbodies; b++) {
		const struct body *body = &net->body[b];
		double each = body->forward + body_least_backward(body), input = INFINITY;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				input = fmin(input, body->backward[k] - body_kind_weight(body, k));
		for (int i = 0; i < body->layers; i++, at++) {
			s.forward[at + 1] = s.forward[at] + body->forward;
			s.input[at + 1] = s.input[at] + fmax(0, input);
			s.all[at + 1] = s.all[at] + each;
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

/* Return the least pace of all stages, for layers whose stage is unknown. */
static double
least_pace(const struct problem *p)
{
	double least = p->pace[0];

	for (int s = 1; s < p->stages; s++)
		least = fmin(least, p->pace[s]);
	return least;
}

/*
 * Return a lower bound on the step, ms, from one stage with the layers from FROM to before TO. DELAY: ms of transfers
 * until data reach the stage. LEAST: least_pace().
 */
static double
stage_step(const struct problem *p, const struct sums *s, int stage, int from, int to, double delay, double least)
{
	bool first = stage == 0, last = stage == p->stages - 1;
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	double m = p->micro * p->pace[stage];
	double forward = s->forward[to] - s->forward[from] + (first ? head->forward : 0) + (last ? tail->forward : 0);
	double input = s->input[to] - s->input[from] + (first ? head->backward - end_weight(head) : 0) +
	    (last ? tail->backward - end_weight(tail) : 0);
	double all = s->all[to] - s->all[from] + (first ? head->forward + head->backward : 0) +
	    (last ? tail->forward + tail->backward : 0);
	double before = delay + least * (s->forward[from] + (first ? 0 : head->forward));
	double back = delay + least * (s->input[from] + (first ? 0 : head->backward - end_weight(head)));

	return before + fmax(m * all, m * (forward + input) + back);
}

/*
 * Return the ms of a transfer from a stage to the next stage. With one chunk per stage, these need not be neighbours in
 * the shape.
 */
static double
delay_behind(const struct problem *p, int stage)
{
	int from = stage, to = stage + 1;

	if (p->chunks == 1 && to < p->stages) {
		from = p->plan_piece[from];
		to = p->plan_piece[to];
		from = abs(from - to) > 1 ? p->stages - 1 : from < to ? from : to;
	}
	return p->evaluator.delay[1 + from];
}

/*
 * Return whether the layers can be placed, with one chunk per stage, such that no stage takes longer than STEP. Each
 * stage greedily takes the maximum number of layers.
 */
static bool
can_place(const void *bound, double step)
{
	const struct sums *s = bound;
	const struct problem *p = s->p;
	double delay = 0, least = least_pace(p);
	int at = 0;

	for (int stage = 0; stage < p->stages; delay += delay_behind(p, stage++)) {
		bool end = stage == 0 || stage == p->stages - 1;
		int to = at;

		if (end && stage_step(p, s, stage, at, at, delay, least) > step)
			return false;
		while (to < s->layers && stage_step(p, s, stage, at, to + 1, delay, least) <= step)
			to++;
		at = to;
	}
	return at == s->layers;
}

ORDER_BY(descending, double, -*it)

/*
 * Return a bound from the load of all stages together, shared according to their speeds. ALONE: add the time that
 * stages lose at the start. The stage that the first micro-batch reaches after n other stages has waited for n pieces,
 * each with at least one layer unless empty. The least time is lost if the fastest stages wait least. The first piece
 * may hold only the head.
 */
static double
shared_step(const struct problem *p, const struct sums *s, bool alone)
{
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	double all = s->all[s->layers] + head->forward + head->backward + tail->forward + tail->backward,
	    least = p->net->empty ? 0 : INFINITY;
	double *speed = xcalloc((size_t)p->stages, sizeof *speed), speeds = 0, waits = 0,
	    wait = p->stages > 1 ? INFINITY : 0;

	for (int i = 0; i < s->layers && !p->net->empty; i++)
		least = fmin(least, s->forward[i + 1] - s->forward[i]);
	for (int stage = 0; stage < p->stages; stage++) {
		speed[stage] = 1 / p->pace[stage];
		speeds += speed[stage];
		wait = fmin(wait, delay_behind(p, stage));
	}
	SORT(speed, p->stages, descending);
	for (int n = 0; n < p->stages && alone; n++)
		waits += ((n > 0 && p->net->alone ? n - 1 : n) * least_pace(p) * least + n * wait) * speed[n];
	free(speed);
	return (p->together * p->micro * all + waits) / speeds;
}

/*
 * Return the transfer times, ms, of the boundaries that data must cross to reach all stages. These are all boundaries
 * except one; with one chunk, all except the last.
 */
static double
least_delays(const struct problem *p)
{
	double all = 0, most = delay_behind(p, p->stages - 1);

	for (int s = 0; s < p->stages; s++) {
		all += delay_behind(p, s);
		most = p->chunks > 1 ? fmax(most, delay_behind(p, s)) : most;
	}
	return all - most;
}

double
order_bound(const struct problem *p)
{
	const struct end *head = &p->net->head, *tail = &p->net->tail;
	/* With two models, overlapping operations or parts of sequences, only the load gives a bound. */
	bool alone = !schedule_mirrored(p->shape.kind) && p->together == 1 && p->shape.splits <= 1;
	struct sums s = sums_new(p);
	double ends = head->backward + tail->backward - end_weight(head) - end_weight(tail);
	double chain = least_pace(p) * (head->forward + tail->forward + ends + s.forward[s.layers] +
	    s.input[s.layers]) + 2 * least_delays(p), low = shared_step(p, &s, alone), slowest = 0, work;

	low = alone ? fmax(low, chain) : low;
	if (alone && p->chunks == 1)
		low = least_step(can_place, &s, low, 2 * low, INFINITY);
	/* The times of layers are differences of cumulative sums, so their rounding is that of the total. */
	for (int i = 0; i < p->stages; i++)
		slowest = fmax(slowest, p->pace[i]);
	work = p->micro * slowest * (s.all[s.layers] + head->forward + head->backward + tail->forward + tail->backward);
	sums_free(&s);
	return proved_bound(p, low, low + 2 * work, 2 * p->net->layers + p->stages + 16);
}
