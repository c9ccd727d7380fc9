/*
 * Search: parallel tempering over feasible plans, with the exact step time as energy.
 *
 * LANES replicas, each at its own temperature, are changed and simulated together, one in every lane
 * of the processor's vectors; neighbouring temperatures swap places now and then.  A state takes
 * each stage's recomputation from the stage's menu, so that every state fits into memory.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

#include "sapp-lp/model/stage_settings.h"

struct search;

/* Begin at START, which must fit. WEIGHT (NULL: none) says which pieces' times are worth most. Same SEED, same search. */
struct search *search_new(const struct problem *, const struct candidate *start, const struct visits *weight,
    uint64_t seed);
/* ROUNDS changes to every replica; true when a better plan was found. Stops early when interrupted or at DEADLINE. */
bool search_run(struct search *, long rounds, double deadline);
/* Take up a plan found elsewhere. */
void search_take(struct search *, const struct candidate *);
double search_best(const struct search *, struct candidate *out);	/* its step time, ms; OUT may be NULL */
long search_evaluations(const struct search *, double *seconds);	/* plans simulated; adds the SECONDS of search_run() */
void search_free(struct search *);

#endif
