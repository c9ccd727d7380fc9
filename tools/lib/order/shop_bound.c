#include "shop_bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "shop.h"

/* Minimum times before and after the operations of one micro-batch, ms, [stage][queue]. */
struct chains {
	const struct shop *shop;
	double *head;		/* from the start of the step to the earliest start of a forward or backward */
	/* from the end of a backward to the end of the step, including its W and the stages' overhead */
	double *tail;
	double *limit;		/* MB, [stage], minus the minimum memory in use while an operation runs */
};

static double
queue_time(const struct shop *j, int i)
{
	return j->time[i / 2 * PHASES + (i % 2 ? PHASE_I : PHASE_F)];
}

static double
weight_time(const struct shop *j, int i)
{
	return j->time[i / 2 * PHASES + PHASE_W];
}

/* Return the ms that data travel from one queue to another that needs them. */
static double
between(const struct shop *j, int from, int to)
{
	return shop_delay(j, RUNGS, from / j->queues, to / j->queues);
}

/* Compute the chains. A backward is followed by its W and by the backwards that need its data. */
static struct chains
chains_new(const struct shop *j, const struct load *load, const struct room *room)
{
	int n = j->stages * j->queues;
	struct chains c = { j, xcalloc((size_t)n, sizeof(double)), xcalloc((size_t)n, sizeof(double)),
	    xcalloc((size_t)j->stages, sizeof(double)) };
	int *fed = xcalloc((size_t)n, sizeof *fed), *chain = xcalloc((size_t)n, sizeof *chain);
	bool *feeds = xcalloc((size_t)n, sizeof *feeds);

	for (int s = 0; s < j->stages; s++) {
		double least = INFINITY;

		for (int v = 0; v < j->chunks; v++)
			least = fmin(least, load_transient(load, v, s));
		c.limit[s] = room_most(room, s) - least;
	}
	for (int i = 0; i < n; i++)
		fed[i] = j->feed[i].stage < 0 ? -1 : j->feed[i].stage * j->queues + j->feed[i].queue;
	for (int i = 0; i < n; i++) {
		c.tail[i] = weight_time(j, i) + j->tail[i / j->queues];
		if (fed[i] >= 0)
			feeds[fed[i]] = true;
	}
	/* Follow the chain of each model from its last queue back to the first, then forward again. */
	for (int i = 0; i < n; i++) {
		int length = 0;

		for (int at = i; at >= 0 && !feeds[i]; at = fed[at])
			chain[length++] = at;
		for (int k = 1; k < length; k++)
			c.tail[chain[k]] = fmax(c.tail[chain[k]], between(j, chain[k], chain[k - 1]) +
			    queue_time(j, chain[k - 1]) + c.tail[chain[k - 1]]);
		for (int k = length - 2; k >= 0; k--)
			c.head[chain[k]] = c.head[chain[k + 1]] + queue_time(j, chain[k + 1]) +
			    between(j, chain[k + 1], chain[k]);
	}
	free(fed);
	free(feeds);
	free(chain);
	return c;
}

static void
chains_free(struct chains *c)
{
	free(c->head);
	free(c->tail);
	free(c->limit);
}

/*
 * Return the maximum time of operations in PHASE on a stage that fit its memory together, up to M per chunk. HELD: MB
 * of an operation by piece. Fractions of operations count.
 */
static double
most_time(const struct chains *c, int stage, const double *held, enum phase phase)
{
	const struct shop *j = c->shop;
	double memory = c->limit[stage], time = 0;
	bool *taken = xcalloc((size_t)j->chunks, sizeof *taken);

	for (int n = 0; n < j->chunks; n++) {
		int best = -1;
		double rate = -1, number = j->micro;

		for (int v = 0; v < j->chunks; v++) {
			int piece = stage * j->chunks + v;
			double own = held[piece] > 0 ? j->time[piece * PHASES + phase] / held[piece] : INFINITY;

			if (!taken[v] && own > rate) {
				best = v;
				rate = own;
			}
		}
		taken[best] = true;
		if (held[stage * j->chunks + best] > 0)
			number = fmax(0, fmin(number, memory / held[stage * j->chunks + best]));
		memory -= number * held[stage * j->chunks + best];
		time += number * j->time[(stage * j->chunks + best) * PHASES + phase];
	}
	free(taken);
	return time;
}

static double
stage_bound(const struct chains *c, int stage)
{
	const struct shop *j = c->shop;
	int first = stage * j->queues;
	double begin = INFINITY, returned = INFINITY, drain = INFINITY, before = 0, weights = 0, filled, area = 0;
	double bound = 0;

	for (int i = first; i < first + j->queues; i += 2) {
		int piece = i / 2;
		double forward = queue_time(j, i), back = queue_time(j, i + 1), weight = weight_time(j, i);
		double life = c->head[i + 1] - c->head[i] + back;

		begin = fmin(begin, c->head[i]);
		returned = fmin(returned, c->head[i + 1]);
		drain = fmin(drain, c->tail[i + 1]);
		before += j->micro * (forward + back);
		weights += j->micro * weight;
		area += j->micro * (j->activation[piece] * life + j->kept[piece] * weight);
		bound = fmax(bound, c->head[i + 1] + back + c->tail[i + 1]);
	}
	/* Before its first backward, a stage can run only forwards that fit its memory. */
	filled = begin + fmax(0, returned - begin - most_time(c, stage, j->activation, PHASE_F));
	bound = fmax(bound, filled + before + weights + j->tail[stage]);
	/* After its last backward, at most the W that fit its memory remain. */
	bound = fmax(bound, filled + before + fmax(0, weights - most_time(c, stage, j->kept, PHASE_W)) + drain);
	if (c->limit[stage] > 0)
		bound = fmax(bound, begin + area / c->limit[stage] + j->tail[stage]);
	return bound;
}

double
shop_bound(const struct schedule *s, const struct load *load, const struct room *room)
{
	struct shop j;
	struct chains c;
	double bound = 0, rest = 0;

	if (load->factor[0].at != NULL || load->factor[1].at != NULL)
		return 0;
	j = shop_new(s, load, room);
	c = chains_new(&j, load, room);
	for (int i = 0; i < j.stages; i++) {
		bound = fmax(bound, stage_bound(&c, i));
		rest = fmax(rest, (load->overhead.n > 0 ? list_get(load->overhead, i) : 0) - j.tail[i]);
	}
	chains_free(&c);
	/* Subtract the rounding error of sums over the longest path, both here and in the simulation. */
	bound = (bound + rest) * (1 - (3. * j.micro * j.chunks * j.stages + 100) * DBL_EPSILON);
	shop_free(&j);
	return bound;
}
