/*
 * Tuning: switches of the planner's mechanisms, and limits that tests lower. `make ablate` measures the value of each
 * mechanism. Set once, before planning.
 */
#ifndef TUNING_H
#define TUNING_H

#include <stdbool.h>
#include <stdio.h>

/* NAME of a mechanism and its effect. All are on unless -set disables them. */
#define TUNING_SWITCHES(X) \
	X(wall, "1: seconds of the clock; 0: seconds of the processor, summed over threads") \
	X(search, "the search over plans (heuristic/tempering)") \
	X(caps, "the search over the slowest piece of each chunk (heuristic/bottleneck)") \
	X(surrogate, "a model of paths filters changes before they are simulated (heuristic/surrogate)") \
	X(exchange, "replicas of the search exchange temperatures (heuristic/tempering)") \
	X(equal_pieces, "first plans with equal pieces in each chunk (heuristic/equal_pieces)") \
	X(ordered, "the relaxation over layers in order (bound/ordered)") \
	X(fixing, "reduced-cost fixing of settings before branch and bound (exact/squeeze)") \
	X(run_fixing, "reduced-cost fixing of ranges of layers, for very many stages (exact/run_squeeze)") \
	X(generated, "columns are generated if they are too many to list (pattern/alternatives)") \
	X(pseudo_costs, "branching by pseudo-costs (exact/pseudo_costs)") \
	X(pattern_borders, "nodes without a layout of whole layers are pruned (pattern/pattern_borders)")

/* NAME, default, minimum and meaning of a number. */
#define TUNING_VALUES(X) \
	X(look, 0, 0, "seconds that each look at the clock counts for; 0: seconds are measured") \
	X(load_work, 4e6, 0, "skip load_bound if stages x layers x layers of a piece exceed this") \
	X(spare_paths, 20000, 0, "branch and bound drops unused paths if this many exceed twice the used paths") \
	X(front_mixes, 1000, 2, "maximum number of mixes on a Pareto front")

#define TUNING_SWITCH(name, meaning) bool name;
#define TUNING_VALUE(name, value, least, meaning) double name;
struct tuning {
	TUNING_SWITCHES(TUNING_SWITCH)
	TUNING_VALUES(TUNING_VALUE)
};
#undef TUNING_SWITCH
#undef TUNING_VALUE

extern struct tuning tuning;

/* Set a switch or number from "NAME=VALUE". Return false if the name is unknown or the value is invalid. */
bool tuning_set(const char *text);
/* Print a line for each switch and number: name, default and meaning. */
void tuning_list(FILE *);

#endif
