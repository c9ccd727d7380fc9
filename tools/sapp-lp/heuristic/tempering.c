#include "tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/model/tuning.h"
#include "replica.h"

enum {
	CHECK_EVERY = 256,	/* rounds between looks at the clock, */
	CHECK_OPERATIONS = 10000000,	/* or operations simulated */
};

struct tempering {
	const struct problem *p;
	struct proposer proposer;
	struct replica replica[LANES];
	double time[LANES];		/* ms, of each replica */
	double temperature[LANES];	/* of each replica, relative to the best step time */
	struct lanes *cost, *end, *clock;	/* see evaluator_run() */
	double best_time;		/* ms */
	struct candidate best;
	long evaluations;		/* plans simulated */
	double simulated;		/* operations */
	double seconds;			/* that tempering_run() took */
};

/* What the pieces of a stage cost, as the replica of a lane is. */
static void
set_costs(struct tempering *s, int lane, int stage)
{
	const struct problem *p = s->p;
	const struct candidate *c = &s->replica[lane].now;
	double ms[2 * PHASES];

	for (int i = stage; i < p->pieces; i += p->stages) {
		phase_times(p, i, piece_times(p, i, &p->contents.content[c->content[i]],
		    problem_mix(p, c->content[i], c->mix[i])), ms);
		for (int k = 0; k < p->evaluator.phases; k++)
			s->cost[k * p->pieces + i].at[lane] = ms[k];
	}
}

static void
load(struct tempering *s, int lane, const struct candidate *c)
{
	replica_load(&s->replica[lane], c);
	for (int g = 0; g < s->p->stages; g++)
		set_costs(s, lane, g);
}

/* The step times of all replicas, ms. */
static struct lanes
simulate(struct tempering *s)
{
	double operations = (double)LANES * s->p->evaluator.noperations;

	s->evaluations += LANES;
	s->simulated += operations;
	s->proposer.work += operations;
	return evaluator_run(&s->p->evaluator, s->cost, s->end, s->clock);
}

/* The temperature of the N-th coldest replica: the coldest takes almost no change that is worse, the hottest most. */
static double
ladder(int n)
{
	return tuning.coldest * pow(tuning.hottest / tuning.coldest, (double)n / (LANES - 1));
}

struct tempering *
tempering_new(const struct problem *p, const struct candidate *const start[], const struct visits *weight,
    uint64_t seed)
{
	struct tempering *s = xcalloc(1, sizeof *s);
	struct lanes steps;

	*s = (struct tempering){ .p = p, .proposer = proposer_new(p, weight, seed),
		.cost = evaluator_lanes((size_t)p->evaluator.slots), .end = evaluator_lanes(p->evaluator.registers),
		.clock = evaluator_lanes((size_t)p->evaluator.clocks), .best = candidate_new(p) };
	for (int l = 0; l < LANES; l++) {
		s->replica[l] = replica_new(p);
		s->temperature[l] = ladder(l);
		load(s, l, start[l]);
	}
	candidate_copy(p, &s->best, start[0]);
	steps = simulate(s);
	memcpy(s->time, steps.at, sizeof s->time);
	s->best_time = s->time[0];
	return s;
}

void
tempering_free(struct tempering *s)
{
	for (int l = 0; l < LANES; l++)
		replica_free(&s->replica[l]);
	proposer_free(&s->proposer);
	candidate_free(&s->best);
	free(s->cost);
	free(s->end);
	free(s->clock);
	free(s);
}

double
tempering_best(const struct tempering *s, struct candidate *out)
{
	if (out != NULL)
		candidate_copy(s->p, out, &s->best);
	return s->best_time;
}

long
tempering_evaluations(const struct tempering *s, double *operations, double *seconds)
{
	*operations += s->simulated;
	*seconds += s->seconds;
	return s->evaluations;
}

void
tempering_take(struct tempering *s, const struct candidate *c)
{
	load(s, 0, c);
	s->time[0] = simulate(s).at[0];
	if (s->time[0] < s->best_time) {
		s->best_time = s->time[0];
		candidate_copy(s->p, &s->best, c);
	}
}

/* The Metropolis rule, of a change by MORE ms. */
static bool
accepts(struct tempering *s, int lane, double more)
{
	return more <= 0 || xorshift_unit(&s->proposer.random) < exp(-more / (s->best_time * s->temperature[lane]));
}

/* A replica has a step of TIME from now on. */
static void
keep(struct tempering *s, int lane, double time)
{
	s->time[lane] = time;
	if (time >= s->best_time * (1 - 1e-12))
		return;
	s->best_time = time;
	candidate_copy(s->p, &s->best, &s->replica[lane].now);
}

/* Each pair of neighbouring temperatures, by the rule that leaves their joint distribution as it is. */
static void
swap_temperatures(struct tempering *s)
{
	for (int a = 0; a < LANES; a++)
		for (int b = 0; b < LANES; b++) {
			double ta = s->temperature[a], tb = s->temperature[b], d;

			/* b is the next hotter one */
			if (!(tb > ta))
				continue;
			for (int c = 0; c < LANES; c++)
				if (s->temperature[c] > ta && s->temperature[c] < tb)
					tb = INFINITY;
			if (tb == INFINITY)
				continue;
			d = (s->time[b] - s->time[a]) / s->best_time * (1 / ta - 1 / tb);
			if (d <= 0 || xorshift_unit(&s->proposer.random) < exp(-d)) {
				s->temperature[a] = tb;
				s->temperature[b] = ta;
			}
		}
}

/* A change to every replica, all simulated. */
static void
change(struct tempering *s)
{
	bool changed[LANES];
	struct lanes t;

	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->replica[l];

		changed[l] = replica_change(r, &s->proposer);
		if (!changed[l])
			replica_take_back(r);
		for (int i = 0; i < r->n && changed[l]; i++)
			set_costs(s, l, r->stage[i]);
	}
	t = simulate(s);
	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->replica[l];

		if (!changed[l])
			continue;
		if (accepts(s, l, t.at[l] - s->time[l])) {
			keep(s, l, t.at[l]);
			continue;
		}
		replica_take_back(r);
		for (int i = 0; i < r->n; i++)
			set_costs(s, l, r->stage[i]);
	}
}

bool
tempering_run(struct tempering *s, long rounds, double deadline)
{
	double before = s->best_time, begun = clock_now(), checked = s->proposer.work;
	double end = s->proposer.work + (double)rounds * LANES * s->p->evaluator.noperations;

	proposer_forget(&s->proposer);
	s->proposer.deadline = deadline;
	for (long r = 0; s->proposer.work < end; r++) {
		if (r % CHECK_EVERY == 0 || s->proposer.work - checked > CHECK_OPERATIONS) {
			checked = s->proposer.work;
			if (!clock_left(deadline))
				break;
		}
		change(s);
		if (r % (long)tuning.swap_every == 0 && tuning.exchange)
			swap_temperatures(s);
	}
	s->seconds += clock_now() - begun;
	return s->best_time < before;
}
