/*
 * Tuning: switches of the planner's mechanisms, and shares of time and work; make ablate measures their value. Set
 * once, before planning.
 */
#ifndef TUNING_H
#define TUNING_H

#include <stdbool.h>
#include <stdio.h>

/* NAME, and its effect; all are on unless -set disables them. */
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

/* NAME, default, minimum, meaning: chosen by trial on the questions of make ablate. */
#define TUNING_VALUES(X) \
	X(look, 0, 0, "s that a look at the clock counts for, whatever is done between two; 0: seconds are measured") \
	X(bounding_part, 0.15, 0, "part of the time for the relaxations at first") \
	X(search_part, 0.25, 0, "part of it by the end of which branch and bound begins, if it can") \
	X(caps_first_part, 0.03, 0, "part of it for caps on chunks before all else") \
	X(caps_part, 0.12, 0, "part of it by the end of which those are enough for the first time") \
	X(caps_work, 1e9, 1, "operations of those, at most") \
	X(caps_slice, 1e7, 1, "operations of those in one turn") \
	X(caps_shapes, 16, 1, "proportions of caps that they begin with, at most") \
	X(caps_stale, 60, 1, "proposals without a shorter plan, times chunks, after which an annealing of caps ends") \
	X(caps_anneals, 10, 0, "annealings of caps, one after the other") \
	X(caps_heat, 0.005, 0, "by which a step that is accepted may be longer, about, at first") \
	X(search_slice, 6e7, 1, "operations that a search simulates in one turn") \
	X(turn_rounds, 200, 1, "changes to each replica in one turn, times pieces, at most") \
	X(first_turns, 40, 1, "turns of search before the proof begins, at most") \
	X(first_stale, 12, 1, "turns without a shorter plan after which it begins") \
	X(proof_stale, 6, 1, "turns without one after which it gets both threads every other turn") \
	X(last_stale, 300, 1, "turns without one after which the search ends") \
	X(nodes_beside, 2, 1, "nodes of branch and bound in a turn beside a search, about") \
	X(nodes_alone, 20, 1, "nodes in a turn on all threads") \
	X(nodes_alone_large, 6, 1, "the same where searches gain more, with so many operations a step:") \
	X(large, 12000, 1, "operations") \
	X(load_work, 4e6, 0, "numbers of layers to look at for a step, up to which load_bound looks at all") \
	X(listed_work, 2e7, 0, "ns of pricing from which on columns are generated, not listed") \
	X(spare_paths, 20000, 0, "paths beyond twice those in use, at which branch and bound drops unused ones") \
	X(front_mixes, 1000, 2, "mixes to which a Pareto front is thinned, at most") \
	X(coldest, 2e-5, 1e-9, "temperature of the coldest replica, relative to the step") \
	X(hottest, 4e-3, 1e-9, "temperature of the hottest") \
	X(swap_every, 16, 1, "rounds between exchanges of temperatures") \
	X(path_rate, 280, 1, "sharpness of paths in the ordered relaxation, after a round") \
	X(layout_rate, 46, 1, "sharpness of layouts there") \
	X(price_rate, 6e-3, 1e-9, "by which prices of memory move a round there")

#define TUNING_SWITCH(name, meaning) bool name;
#define TUNING_VALUE(name, value, least, meaning) double name;
struct tuning {
	TUNING_SWITCHES(TUNING_SWITCH)
	TUNING_VALUES(TUNING_VALUE)
};
#undef TUNING_SWITCH
#undef TUNING_VALUE

extern struct tuning tuning;

/* Set from "NAME=VALUE"; false: unknown name, or invalid value. */
bool tuning_set(const char *text);
/* Print names, defaults and meanings, a line each. */
void tuning_list(FILE *);

#endif
