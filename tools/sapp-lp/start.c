/* Start: a first plan that fits. */
#include "start.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "deal.h"
#include "fit.h"
#include "lib/alloc.h"

enum {
	REPAIR_TRIES = 200000,		/* moves of layers */
	COARSE = 16,			/* layers of a piece from which on several are moved together */
};

/* Contents of all pieces for so many layers each; false when a piece holds none or too many. */
static bool
lay_out(const struct problem *p, const int *layers, struct candidate *c)
{
	int first = 0;

	for (int n = 0; n < p->pieces; n++) {
		int i = p->piece[n];

		c->content[i] = mixes_find(&p->mixes, first, layers[i]);
		if (c->content[i] < 0)
			return false;
		first += layers[i];
	}
	return true;
}

/* MB by which the worst stage exceeds its limit, everything recomputed; *SUM: all that do. */
static double
excess(const struct problem *p, const struct candidate *c, int *stage, double *sum)
{
	double worst = -INFINITY;
	int content[p->chunks];

	*sum = 0;
	for (int s = 0; s < p->stages; s++) {
		double over;

		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		over = stage_least_memory(p, s, content) - p->limit[s];
		if (over > worst) {
			worst = over;
			*stage = s;
		}
		if (over > 0)
			*sum += over;
	}
	return worst;
}

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;		/* xorshift64, Marsaglia 2003 */
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

/*
 * Where layers of several kinds must keep their order over several chunks a stage, dynamic programming over stages
 * does not see the order. From its numbers of layers, move a few layers as long as the worst excess shrinks, or else
 * their sum does not grow.
 */
static double
repair(const struct problem *p, struct candidate *c, int *stage)
{
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), ignored;
	struct candidate trial = candidate_new(p);
	double least = INFINITY, least_sum = INFINITY, sums;
	uint64_t random = 0x9e3779b97f4a7c15u;
	int sum = 0;

	for (int i = 0; i < p->pieces; i++)
		sum += layers[i] = p->mixes.content[c->content[i]].layers;
	for (int i = 0; sum != p->net->layers; i++, sum++)
		layers[i % p->pieces]++;
	if (lay_out(p, layers, &trial)) {
		least = excess(p, &trial, stage, &least_sum);
		candidate_copy(p, c, &trial);
	}
	for (int i = 0; i < REPAIR_TRIES && least > MEMORY_SLACK; i++) {
		int from = (int)(draw(&random) % (uint64_t)p->pieces), to = (int)(draw(&random) % (uint64_t)p->pieces);
		int some = layers[from] < COARSE ? 1 : 1 + (int)(draw(&random) % (uint64_t)(layers[from] / COARSE * 2));
		double now;

		if (from == to || layers[from] < 2)
			continue;
		layers[from] -= some;
		layers[to] += some;
		if (lay_out(p, layers, &trial) && ((now = excess(p, &trial, &ignored, &sums)) < least ||
		    (now == least && sums <= least_sum))) {
			least = now;
			least_sum = sums;
			candidate_copy(p, c, &trial);
		} else {
			layers[from] += some;
			layers[to] -= some;
		}
	}
	candidate_free(&trial);
	free(layers);
	return least < INFINITY ? excess(p, c, stage, &sums) : INFINITY;
}

/* Settle each stage's recomputation, as little as the quick way allows. */
static bool
settle(const struct problem *p, struct candidate *c)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		if (!fit_evenly(p, s, content, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
	}
	return true;
}

/*
 * Where contents are too many to list. With one chunk a stage what is dealt is the least there is; with several it is
 * something to begin with.
 */
static struct excess
excess_dealt(const struct problem *p, struct candidate *out)
{
	struct excess e = { .mb = INFINITY, .at_least = -INFINITY };
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers);
	double raise = deal_memory(p, layers), sum;

	if (raise < INFINITY && lay_out(p, layers, out)) {
		e.mb = excess(p, out, &e.stage, &sum);
		if (p->chunks == 1)
			e.at_least = e.mb = fmax(e.mb, raise);
		else if (e.mb > MEMORY_SLACK)
			e.mb = repair(p, out, &e.stage);
	}
	free(layers);
	return e;
}

static bool
find_dealt(const struct problem *p, struct candidate *out)
{
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), stage;
	bool found = deal_time(p, layers) && lay_out(p, layers, out) && repair(p, out, &stage) <= MEMORY_SLACK;

	free(layers);
	return (found || excess_dealt(p, out).mb <= MEMORY_SLACK) && settle(p, out);
}

/* Larger stages are tried until they alone would exceed by more. */
static struct excess
excess_listed(const struct problem *p, struct candidate *out)
{
	struct excess e = { .mb = INFINITY, .at_least = -INFINITY };
	int most = (p->net->layers + p->stages - 1) / p->stages + 1;

	for (;; most += most / 4 + 1) {
		struct catalog c = catalog_list(p, false, most);
		double least = catalog_excess(&c, out, &e.stage), larger = INFINITY;
		bool all = c.complete;

		/* A stage with more layers than listed exceeds by at least as much as its lightest with MOST. */
		for (int s = 0; s < p->stages && !all; s++)
			for (int i = 0; i < c.n[s]; i++)
				if (c.dish[s][i].layers == most)
					larger = fmin(larger, stage_least_memory(p, s, c.dish[s][i].content) - p->limit[s]);
		catalog_free(&c);
		if (least < INFINITY) {
			e.mb = least;
			if (all || larger >= least)
				e.at_least = least;
		}
		if (all || most > p->net->layers || e.at_least > -INFINITY)
			break;
	}
	if (e.mb < INFINITY && !candidate_placed(p, out))
		e.mb = repair(p, out, &e.stage);
	return e;
}

struct excess
start_excess(const struct problem *p, struct candidate *out)
{
	struct excess e = catalog_can_list(p) ? excess_listed(p, out) : excess_dealt(p, out);

	for (int i = 0; i < p->pieces && e.mb < INFINITY; i++)
		out->mix[i] = mixes_front(&p->mixes, out->content[i])->n - 1;
	return e;
}

/* With ever more layers a stage until a plan is found. */
bool
start_find(const struct problem *p, struct candidate *out)
{
	int most = (p->net->layers + p->stages - 1) / p->stages + 1, stage;

	if (!catalog_can_list(p))
		return find_dealt(p, out);

	for (;; most += most / 4 + 1) {
		struct catalog c = catalog_list(p, true, most);
		bool found = catalog_balance(&c, out), all = c.complete || most > p->net->layers;

		catalog_free(&c);
		if (found && !candidate_placed(p, out))
			found = repair(p, out, &stage) <= MEMORY_SLACK;
		if (found && settle(p, out))
			return true;
		if (all)
			break;
	}
	return start_excess(p, out).mb <= MEMORY_SLACK && settle(p, out);
}
