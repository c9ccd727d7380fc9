/*
 * Ensemble: the replicas of parallel tempering, one per lane, with the costs of their pieces and the acceptance rule.
 */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

#include "replica.h"

struct ensemble {
	const struct problem *p;
	struct proposer proposer;
	struct replica replica[LANES];
	double time[LANES];		/* ms, current step of each replica */
	double temperature[LANES];	/* of each replica, relative to the best step */
	struct lanes *cost, *end, *clock;	/* see evaluator_run() */
	double best_time;		/* ms */
	struct candidate best;
	long evaluations;		/* number of plans simulated, or evaluated by a model */
	double simulated;		/* number of simulated operations */
};

struct ensemble ensemble_new(const struct problem *, const struct visits *weight, uint64_t seed);
void ensemble_free(struct ensemble *);
struct times ensemble_times(const struct ensemble *, int lane, int piece);
void ensemble_set_cost(struct ensemble *, int lane, int piece, struct times);
/* set the costs of the stage's pieces from the replica */
void ensemble_set_costs(struct ensemble *, int lane, int stage);
struct lanes ensemble_simulate(struct ensemble *);	/* return the step times of all replicas, ms */
/* Return whether the Metropolis rule accepts a change that lengthens the step by MORE ms. */
bool ensemble_accepts(struct ensemble *, int lane, double more);
/* Record the replica as the best plan if its step, TIME ms, is shorter than the best step. */
void ensemble_offer(struct ensemble *, int lane, double time);

#endif
