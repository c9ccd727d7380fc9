/* Ensemble: the replicas of a tempering, one per lane, with the costs of their pieces and the acceptance rule. */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

#include "replica.h"

struct ensemble {
	const struct problem *p;
	struct proposer proposer;
	struct replica replica[LANES];
	double time[LANES];		/* ms, by replica */
	double temperature[LANES];	/* by replica, relative to the best step */
	struct lanes *cost, *end, *clock;	/* see evaluator_run() */
	double best_time;		/* ms */
	struct candidate best;
	long evaluations;		/* plans simulated, or evaluated by a model */
	double simulated;		/* operations */
};

struct ensemble ensemble_new(const struct problem *, const struct visits *weight, uint64_t seed);
void ensemble_free(struct ensemble *);
struct times ensemble_times(const struct ensemble *, int lane, int piece);
void ensemble_set_cost(struct ensemble *, int lane, int piece, struct times);
/* costs of the stage's pieces, from the replica */
void ensemble_set_costs(struct ensemble *, int lane, int stage);
struct lanes ensemble_simulate(struct ensemble *);	/* step times of all replicas, ms */
/* Metropolis rule for a change by MORE ms. */
bool ensemble_accepts(struct ensemble *, int lane, double more);
/* Record the replica as the best plan if its step TIME, ms, is shorter. */
void ensemble_offer(struct ensemble *, int lane, double time);

#endif
