#include "bottleneck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/pattern/recompute_greedy.h"
#include "capped.h"

enum {
	SHAPES = 16,		/* maximum number of proportions of bottlenecks to start with */
	ANNEALS = 10,		/* number of annealings, one after the other */
	STALE = 60,		/* proposals without a shorter plan, times chunks, after which an annealing ends */
	CHANGES = 4,		/* maximum number of bottlenecks changed in a proposal */
	OTHERS = 8,		/* number of plans kept in addition to the best plan */
};
static const double HEAT = 0.005;	/* approximate relative increase of the step that is accepted at first */
/* Factor by which a shape grows at the next try, and the maximum of their product. */
static const double WIDER = 1.1, MOST = 2;
/* Range of the logarithm of last / first bottleneck of a shape, and of its random part. */
static const double STEEPEST = 2, ROUGHEST = 0.5;
/*
 * Maximum ratio of a proposal's bottlenecks to the previous bottlenecks, and of the steps of other plans to the best
 * step.
 */
static const double LONGER = 1.05;

struct other {			/* a plan with other bottlenecks than the best plan */
	double cap[CHUNKS_MAX], step;
	struct candidate plan;
};

struct bottleneck {
	const struct problem *p;
	struct capped *capped;
	int quanta;
	double *quantum;	/* [quanta], ms: time of a layer of one body, in its fastest and in its slowest kind */
	double *slowest;	/* [bodies], ms: time of a layer in its slowest kind */
	double cap[CHUNKS_MAX];
	double *time;		/* [pieces], ms, of the plan that has these bottlenecks */
	struct candidate best;
	double step;		/* ms, step of the best plan */
	double work;		/* see bottleneck_run(); excludes capped_work() */
	struct candidate found;	/* the plan found by the last try */
	struct other other[OTHERS];	/* [others], sorted by step, shortest first */
	int others;
	int shapes, anneals;	/* number of shapes and of annealings done */
	uint64_t random;
};

static void
set_quanta(struct bottleneck *b)
{
	const struct network *net = b->p->net;

	b->slowest = xcalloc((size_t)net->nbodies, sizeof *b->slowest);
	b->quantum = xcalloc(2 * (size_t)net->nbodies, sizeof *b->quantum);
	for (int i = 0; i < net->nbodies; i++) {
		double least = body_least_backward(&net->body[i]), most = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (net->body[i].has[k])
				most = fmax(most, net->body[i].backward[k]);
		b->quantum[b->quanta++] = net->body[i].forward + least;
		b->slowest[i] = net->body[i].forward + most;
		if (most > least)
			b->quantum[b->quanta++] = net->body[i].forward + most;
	}
}

/*
 * Get the time of the slowest piece of each chunk, ms, in CAP[chunks], and of all pieces in TIME[pieces] (may be NULL).
 */
static void
slowest_pieces(const struct problem *p, const struct candidate *plan, double *cap, double *time)
{
	for (int v = 0; v < p->chunks; v++) {
		cap[v] = 0;
		for (int s = 0; s < p->stages; s++) {
			int i = v * p->stages + s;
			struct times t = piece_times(p, i, &p->contents.content[plan->content[i]],
			    problem_mix(p, plan->content[i], plan->mix[i]));
			double ms = p->pace[s] * (t.forward + t.backward);

			cap[v] = fmax(cap[v], ms);
			if (time != NULL)
				time[i] = ms;
		}
	}
}

/*
 * Change some bottlenecks at random: widen or narrow a bottleneck by a layer, or set it to the bottleneck of another
 * chunk, or to another piece of its chunk.
 */
static bool
propose(struct bottleneck *b, double *cap)
{
	const struct problem *p = b->p;
	int changes = 1 + xorshift_below(&b->random, CHANGES);
	double before = 0, after = 0;

	memcpy(cap, b->cap, (size_t)p->chunks * sizeof *cap);
	for (int i = 0; i < changes; i++) {
		int v = xorshift_below(&b->random, p->chunks), way = xorshift_below(&b->random, 4);

		if (way == 0)
			cap[v] = b->cap[xorshift_below(&b->random, p->chunks)];
		else if (way == 1)
			cap[v] = b->time[v * p->stages + xorshift_below(&b->random, p->stages)];
		else
			cap[v] += b->quantum[xorshift_below(&b->random, b->quanta)] * (way == 2 ? -1 : 1);
	}
	for (int v = 0; v < p->chunks; v++) {
		if (cap[v] <= 0 && !p->net->empty)
			return false;
		before += b->cap[v];
		after += cap[v];
	}
	return after < before * LONGER;
}

/* Keep the found plan among the other plans: the shortest plan for its bottlenecks, and few plans in total. */
static void
keep(struct bottleneck *b, double step)
{
	size_t size = (size_t)b->p->chunks * sizeof(double);
	double cap[CHUNKS_MAX];
	struct other now;
	int at = 0;

	slowest_pieces(b->p, &b->found, cap, NULL);
	while (at < b->others && memcmp(b->other[at].cap, cap, size) != 0)
		at++;
	if (at < b->others ? step >= b->other[at].step :
	    at == OTHERS && step >= b->other[--at].step)
		return;
	if (at == b->others)
		b->other[b->others++].plan = candidate_new(b->p);
	now = b->other[at];
	for (; at > 0 && b->other[at - 1].step > step; at--)
		b->other[at] = b->other[at - 1];
	memcpy(now.cap, cap, size);
	now.step = step;
	candidate_copy(b->p, &now.plan, &b->found);
	b->other[at] = now;
}

/* Find a plan within the bottlenecks CAP and return its step; INFINITY: none was found. */
static double
try(struct bottleneck *b, const double *cap, double deadline)
{
	double step;

	if (!capped_find(b->capped, cap, deadline, &b->found) || !recompute_plan(b->p, &b->found))
		return INFINITY;
	b->work += b->p->evaluator.noperations;
	step = candidate_step_time(b->p, &b->found);
	keep(b, step);
	return step;
}

static double
work_of(const struct bottleneck *b)
{
	return b->work + capped_work(b->capped);
}

/* Make the found plan, whose step is STEP ms, the best plan if it is the shortest. */
static void
take(struct bottleneck *b, double step)
{
	if (step >= b->step)
		return;
	b->step = step;
	candidate_copy(b->p, &b->best, &b->found);
}

/*
 * Return the ms of a layer of the slowest body, in its slowest kind, between two places of the model. The places are
 * fractions of all layers.
 */
static double
slowest_layer(const struct bottleneck *b, double from, double to)
{
	const struct network *net = b->p->net;
	double before = 0, slowest = 0;

	for (int i = 0; i < net->nbodies; i++) {
		double after = before + (double)net->body[i].layers / net->layers;

		if (after > from && before < to)
			slowest = fmax(slowest, b->slowest[i]);
		before = after;
	}
	return slowest;
}

/*
 * Try bottlenecks for numbers of layers that rise or fall over the chunks. Widen the bottlenecks until a plan is found.
 */
static void
try_shape(struct bottleneck *b, int number, double deadline)
{
	const struct problem *p = b->p;
	double shape[CHUNKS_MAX], sum = 0, steep = 0;

	if (number > 0)
		steep = STEEPEST * (2 * xorshift_unit(&b->random) - 1);
	for (int v = 0; v < p->chunks; v++) {
		double rough = number > 0 ? ROUGHEST * (2 * xorshift_unit(&b->random) - 1) : 0;

		sum += shape[v] = exp(steep * ((double)v / p->chunks - 0.5) + rough);
	}
	for (double more = 1; more < MOST; more *= WIDER) {
		double cap[CHUNKS_MAX], before = 0, step;

		for (int v = 0; v < p->chunks; v++) {
			double part = shape[v] / sum;

			cap[v] = ceil(part * more * p->net->layers / p->stages) *
			    slowest_layer(b, before, before + part);
			before += part;
		}
		step = try(b, cap, deadline);
		take(b, step);
		if (step < INFINITY)
			break;
	}
}

/* Start simulated annealing from the best plan. */
static void
anneal(struct bottleneck *b, double work, double deadline)
{
	double now = b->step;
	int most = STALE * b->p->chunks;

	slowest_pieces(b->p, &b->best, b->cap, b->time);
	for (int stale = 0; stale < most && work_of(b) < work && clock_left(deadline); stale++) {
		double cap[CHUNKS_MAX], step, heat = HEAT * (most - stale) / most;

		if (!propose(b, cap))
			continue;
		step = try(b, cap, deadline);
		if (step >= now * (1 - heat * log(xorshift_unit(&b->random))))
			continue;
		now = step;
		slowest_pieces(b->p, &b->found, b->cap, b->time);
		if (step < b->step)
			stale = 0;
		take(b, step);
	}
}

bool
bottleneck_can(const struct problem *p)
{
	return capped_can(p);
}

struct bottleneck *
bottleneck_new(const struct problem *p, const struct candidate *plan)
{
	struct bottleneck *b = xcalloc(1, sizeof *b);

	b->p = p;
	b->capped = capped_new(p);
	b->step = candidate_step_time(p, plan);
	b->time = xcalloc((size_t)p->pieces, sizeof *b->time);
	b->best = candidate_new(p);
	b->found = candidate_new(p);
	b->random = RANDOM_ODD;
	candidate_copy(p, &b->best, plan);
	set_quanta(b);
	return b;
}

void
bottleneck_free(struct bottleneck *b)
{
	candidate_free(&b->best);
	candidate_free(&b->found);
	for (int i = 0; i < b->others; i++)
		candidate_free(&b->other[i].plan);
	capped_free(b->capped);
	free(b->quantum);
	free(b->time);
	free(b->slowest);
	free(b);
}

void
bottleneck_run(struct bottleneck *b, double work, double deadline)
{
	work += work_of(b);
	for (; b->shapes < SHAPES && work_of(b) < work && clock_left(deadline); b->shapes++)
		try_shape(b, b->shapes, deadline);
	for (; b->anneals < ANNEALS && work_of(b) < work && clock_left(deadline); b->anneals++)
		anneal(b, work, deadline);
}

void
bottleneck_take(struct bottleneck *b, const struct candidate *plan)
{
	double step = candidate_step_time(b->p, plan);

	if (step >= b->step)
		return;
	b->step = step;
	candidate_copy(b->p, &b->best, plan);
	b->anneals = 0;
}

const struct candidate *
bottleneck_best(const struct bottleneck *b)
{
	return &b->best;
}

int
bottleneck_plans(const struct bottleneck *b, int most, const struct candidate **plan)
{
	int n = 0;

	for (; n < b->others && n < most && b->other[n].step < b->step * LONGER; n++)
		plan[n] = &b->other[n].plan;
	return n;
}
