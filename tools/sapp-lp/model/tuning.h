/*
 * Tuning: switches of the planner's mechanisms, by which make ablate measures what each is worth.  Set once, before any
 * question is planned; all are on unless -set says otherwise.
 */
#ifndef TUNING_H
#define TUNING_H

#include <stdbool.h>
#include <stdio.h>

/* NAME, and what it switches. */
#define TUNING_SWITCHES(X) \
	X(wall, "seconds are those of the clock; 0: of the processor, all threads together") \
	X(search, "the search over plans (heuristic/tempering)") \
	X(caps, "the search over the slowest piece of each chunk (heuristic/bottleneck)") \
	X(surrogate, "changes are judged by a model of paths before they are simulated (heuristic/surrogate)") \
	X(exchange, "replicas of the search exchange temperatures (heuristic/tempering)") \
	X(detours, "one of the searches moves layers by way of plans that do not fit (heuristic/replica)") \
	X(ordered, "the relaxation that knows the layers' order (bound/ordered)") \
	X(fixing, "reduced-cost fixing of settings before branch and bound (exact/squeeze)") \
	X(runs, "reduced-cost fixing of ranges of layers, for very many stages (exact/run_squeeze)") \
	X(generated, "columns are generated where they are too many to list (pattern/alternatives)") \
	X(pseudo_costs, "branching by pseudo-costs (exact/pseudo_costs)") \
	X(pattern_borders, "nodes without any layout of whole layers are dropped (pattern/pattern_borders)")

#define TUNING_MEMBER(name, meaning) bool name;
struct tuning {
	TUNING_SWITCHES(TUNING_MEMBER)
};
#undef TUNING_MEMBER

extern struct tuning tuning;

/* From "NAME=0" or "NAME=1"; false: neither. */
bool tuning_set(const char *text);
/* Their names and meanings, a line each. */
void tuning_list(FILE *);

#endif
