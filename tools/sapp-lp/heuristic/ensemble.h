/*
 * Ensemble: the replicas of a tempering, one in every lane of the processor's vectors, what their pieces cost, and what
 * changes to them are accepted by.
 */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

#include "replica.h"

struct ensemble {
	const struct problem *p;
	struct proposer proposer;
	struct replica replica[LANES];
	double time[LANES];		/* ms, of each replica */
	double temperature[LANES];	/* of each replica, relative to the best step time */
	struct lanes *cost, *end, *clock;	/* see evaluator_run() */
	double best_time;		/* ms */
	struct candidate best;
	long evaluations;		/* plans simulated, or asked a model for */
	double simulated;		/* operations */
};

struct ensemble ensemble_new(const struct problem *, const struct visits *weight, uint64_t seed);
void ensemble_free(struct ensemble *);
struct times ensemble_times(const struct ensemble *, int lane, int piece);
void ensemble_set_cost(struct ensemble *, int lane, int piece, struct times);
void ensemble_set_costs(struct ensemble *, int lane, int stage);	/* of all its pieces, as the replica is */
struct lanes ensemble_simulate(struct ensemble *);	/* step times of all replicas, ms */
/* The Metropolis rule, of a change by MORE ms. */
bool ensemble_accepts(struct ensemble *, int lane, double more);
/* The replica is the best plan from now on, if its step TIME, ms, is shorter. */
void ensemble_offer(struct ensemble *, int lane, double time);

#endif
