/*
 * Search: parallel tempering over feasible plans, with the exact step time as energy.
 *
 * LANES replicas, each at its own temperature, are changed and simulated together, one in every lane
 * of the processor's vectors; neighbouring temperatures swap places now and then.  A state takes
 * each stage's recomputation from the stage's settings, so that every state fits into memory.
 */
#ifndef TEMPERING_H
#define TEMPERING_H

#include <stdint.h>

#include "sapp-lp/model/stage_settings.h"

struct tempering;

/* Begin at START, which must fit. WEIGHT (NULL: none) says which pieces' times are worth most. Same SEED, same search. */
struct tempering *tempering_new(const struct problem *, const struct candidate *start, const struct visits *weight,
    uint64_t seed);
/* ROUNDS changes to every replica; true when a better plan was found. Stops early when interrupted or at DEADLINE. */
bool tempering_run(struct tempering *, long rounds, double deadline);
/* Take up a plan found elsewhere. */
void tempering_take(struct tempering *, const struct candidate *);
double tempering_best(const struct tempering *, struct candidate *out);	/* its step time, ms; OUT may be NULL */
long tempering_evaluations(const struct tempering *, double *seconds);	/* plans simulated; adds the SECONDS of tempering_run() */
void tempering_free(struct tempering *);

#endif
