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
	X(wall, "seconds are those of the clock; 0: of the processor, all threads together") \
	X(search, "the search over plans (heuristic/tempering)") \
	X(caps, "the search over the slowest piece of each chunk (heuristic/bottleneck)") \
	X(surrogate, "changes are judged by a model of paths before they are simulated (heuristic/surrogate)") \
	X(exchange, "replicas of the search exchange temperatures (heuristic/tempering)") \
	X(equal_pieces, "first plans with equal pieces in each chunk (heuristic/equal_pieces)") \
	X(ordered, "the relaxation that knows the layers' order (bound/ordered)") \
	X(fixing, "reduced-cost fixing of settings before branch and bound (exact/squeeze)") \
	X(run_fixing, "reduced-cost fixing of ranges of layers, for very many stages (exact/run_squeeze)") \
	X(generated, "columns are generated where they are too many to list (pattern/alternatives)") \
	X(pseudo_costs, "branching by pseudo-costs (exact/pseudo_costs)") \
	X(pattern_borders, "nodes without any layout of whole layers are dropped (pattern/pattern_borders)")

/* NAME, default, minimum and meaning of a number. */
#define TUNING_VALUES(X) \
	X(look, 0, 0, "s that a look at the clock counts for, whatever is done between two; 0: seconds are measured") \
	X(load_work, 4e6, 0, "numbers of layers to look at for a step, up to which load_bound looks at all") \
	X(spare_paths, 20000, 0, "paths beyond twice those in use, at which branch and bound drops unused ones") \
	X(front_mixes, 1000, 2, "mixes to which a Pareto front is thinned, at most")

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
