/*
 * The Metropolis rule accepts or rejects changes of replicas, and temperatures are exchanged between replicas. With few
 * operations per step all plans are simulated, one per lane. With many operations a surrogate evaluates plans first.
 */
#include "tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/model/tuning.h"
#include "surrogate.h"

static const double COLDEST = 2e-5, HOTTEST = 4e-3;	/* temperatures of replicas, relative to the step */
enum {
	SWAP_EVERY = 16,	/* rounds between exchanges of temperatures */
	CHECK_EVERY = 256,	/* rounds between checks of the clock, */
	CHECK_OPERATIONS = 10000000,	/* or simulated operations between checks of the clock */
	RENEW_EVERY = 1 << 12,	/* rounds after which lengths are recomputed, because rounding errors accumulate */
};

struct tempering {
	const struct problem *p;
	struct ensemble e;
	struct surrogate *surrogate;	/* NULL: every change is simulated */
	double seconds;			/* time spent in tempering_run() */
};

static void
load(struct tempering *s, int lane, const struct candidate *c)
{
	const struct problem *p = s->p;

	replica_load(&s->e.replica[lane], c);
	if (s->surrogate != NULL)
		surrogate_load(s->surrogate, lane);
	for (int g = 0; g < p->stages; g++)
		ensemble_set_costs(&s->e, lane, g);
}

/*
 * Return the temperature of the N-th coldest replica. The coldest replica accepts almost no longer step. The hottest
 * replica accepts most changes.
 */
static double
ladder(int n)
{
	return COLDEST * pow(HOTTEST / COLDEST, (double)n / (LANES - 1));
}

struct tempering *
tempering_new(const struct problem *p, const struct candidate *const start[], const struct visits *weight,
    const struct path_cuts *paths, uint64_t seed)
{
	struct tempering *s = xcalloc(1, sizeof *s);
	struct lanes steps;

	s->p = p;
	s->e = ensemble_new(p, weight, seed);
	s->surrogate = tuning.surrogate && surrogate_pays(p) ? surrogate_new(&s->e) : NULL;
	/* With a surrogate all replicas soon continue from the best plan. */
	for (int l = 0; l < LANES; l++) {
		s->e.temperature[l] = ladder(l);
		load(s, l, start[s->surrogate == NULL ? l : 0]);
	}
	for (int i = 0; i < paths->n && s->surrogate != NULL; i++)
		surrogate_add(s->surrogate, &paths->at[i]);
	candidate_copy(p, &s->e.best, start[0]);
	steps = ensemble_simulate(&s->e);
	memcpy(s->e.time, steps.at, sizeof s->e.time);
	s->e.best_time = s->e.time[0];
	return s;
}

void
tempering_free(struct tempering *s)
{
	if (s->surrogate != NULL)
		surrogate_free(s->surrogate);
	ensemble_free(&s->e);
	free(s);
}

double
tempering_best(const struct tempering *s, struct candidate *out)
{
	if (out != NULL)
		candidate_copy(s->p, out, &s->e.best);
	return s->e.best_time;
}

long
tempering_evaluations(const struct tempering *s, double *operations, double *seconds)
{
	*operations += s->e.simulated;
	*seconds += s->seconds;
	return s->e.evaluations;
}

void
tempering_take(struct tempering *s, const struct candidate *c)
{
	load(s, 0, c);
	s->e.time[0] = ensemble_simulate(&s->e).at[0];
	if (s->e.time[0] < s->e.best_time) {
		s->e.best_time = s->e.time[0];
		candidate_copy(s->p, &s->e.best, c);
	}
}

/* Exchange neighbouring temperatures by the rule that preserves the joint distribution of the replicas. */
static void
swap_temperatures(struct tempering *s)
{
	for (int a = 0; a < LANES; a++)
		for (int b = 0; b < LANES; b++) {
			double ta = s->e.temperature[a], tb = s->e.temperature[b], d;

			/* b is the next hotter replica */
			if (!(tb > ta))
				continue;
			for (int c = 0; c < LANES; c++)
				if (s->e.temperature[c] > ta && s->e.temperature[c] < tb)
					tb = INFINITY;
			if (tb == INFINITY)
				continue;
			d = (s->e.time[b] - s->e.time[a]) / s->e.best_time * (1 / ta - 1 / tb);
			if (d <= 0 || xorshift_unit(&s->e.proposer.random) < exp(-d)) {
				s->e.temperature[a] = tb;
				s->e.temperature[b] = ta;
			}
		}
}

/* Change every replica once, and simulate all replicas. */
static void
run_simulated(struct tempering *s)
{
	bool changed[LANES];
	struct lanes t;

	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->e.replica[l];

		changed[l] = replica_change(r, &s->e.proposer, NULL, NULL);
		if (!changed[l])
			replica_take_back(r);
		for (int i = 0; i < r->n && changed[l]; i++)
			ensemble_set_costs(&s->e, l, r->stage[i]);
	}
	t = ensemble_simulate(&s->e);
	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->e.replica[l];

		if (!changed[l])
			continue;
		if (ensemble_accepts(&s->e, l, t.at[l] - s->e.time[l])) {
			s->e.time[l] = t.at[l];
			ensemble_offer(&s->e, l, t.at[l]);
			continue;
		}
		replica_take_back(r);
		for (int i = 0; i < r->n; i++)
			ensemble_set_costs(&s->e, l, r->stage[i]);
	}
}

bool
tempering_run(struct tempering *s, long rounds, double deadline)
{
	double before = s->e.best_time, begun = clock_now(), checked = s->e.proposer.work;
	double end = s->e.proposer.work + (double)rounds * LANES * s->p->evaluator.noperations;

	proposer_forget(&s->e.proposer);
	s->e.proposer.deadline = deadline;
	for (long r = 0; s->e.proposer.work < end; r++) {
		if (r % CHECK_EVERY == 0 || s->e.proposer.work - checked > CHECK_OPERATIONS) {
			checked = s->e.proposer.work;
			if (!clock_left(deadline))
				break;
		}
		if (s->surrogate == NULL)
			run_simulated(s);
		else
			surrogate_round(s->surrogate);
		if (r % SWAP_EVERY == 0 && tuning.exchange)
			swap_temperatures(s);
		if (r % RENEW_EVERY == 0 && s->surrogate != NULL)
			surrogate_renew(s->surrogate);
	}
	s->seconds += clock_now() - begun;
	return s->e.best_time < before;
}
