#include "ensemble.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/random.h"

struct ensemble
ensemble_new(const struct problem *p, const struct visits *weight, uint64_t seed)
{
	struct ensemble e = { .p = p, .proposer = proposer_new(p, weight, seed),
		.cost = evaluator_lanes((size_t)p->evaluator.slots), .end = evaluator_lanes(p->evaluator.registers),
		.clock = evaluator_lanes((size_t)p->evaluator.clocks), .best = candidate_new(p) };

	for (int l = 0; l < LANES; l++)
		e.replica[l] = replica_new(p);
	return e;
}

void
ensemble_free(struct ensemble *e)
{
	for (int l = 0; l < LANES; l++)
		replica_free(&e->replica[l]);
	proposer_free(&e->proposer);
	candidate_free(&e->best);
	free(e->cost);
	free(e->end);
	free(e->clock);
}

struct times
ensemble_times(const struct ensemble *e, int lane, int piece)
{
	const struct replica *r = &e->replica[lane];

	return piece_times(e->p, piece, &e->p->contents.content[r->now.content[piece]],
	    problem_mix(e->p, r->now.content[piece], r->now.mix[piece]));
}

void
ensemble_set_cost(struct ensemble *e, int lane, int piece, struct times t)
{
	double ms[2 * PHASES];

	phase_times(e->p, piece, t, ms);
	for (int k = 0; k < e->p->evaluator.phases; k++)
		e->cost[k * e->p->pieces + piece].at[lane] = ms[k];
}

void
ensemble_set_costs(struct ensemble *e, int lane, int stage)
{
	for (int i = stage; i < e->p->pieces; i += e->p->stages)
		ensemble_set_cost(e, lane, i, ensemble_times(e, lane, i));
}

struct lanes
ensemble_simulate(struct ensemble *e)
{
	double operations = (double)LANES * e->p->evaluator.noperations;

	e->evaluations += LANES;
	e->simulated += operations;
	e->proposer.work += operations;
	return evaluator_run(&e->p->evaluator, e->cost, e->end, e->clock);
}

bool
ensemble_accepts(struct ensemble *e, int lane, double more)
{
	return more <= 0 || xorshift_unit(&e->proposer.random) < exp(-more / (e->best_time * e->temperature[lane]));
}

void
ensemble_offer(struct ensemble *e, int lane, double time)
{
	if (time >= e->best_time * (1 - 1e-12))
		return;
	e->best_time = time;
	candidate_copy(e->p, &e->best, &e->replica[lane].now);
}
