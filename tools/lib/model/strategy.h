/* Strategies: plans that are made from settings instead of a search, for comparison. */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "lib/yaml/settings.h"
#include "network.h"

/*
 * Return the plan that settings describe. The first layers of a piece are recomputed, costlier kinds first. Exit,
 * naming AT, if the settings do not suit the network.
 */
struct plan strategy_from_settings(const char *name, enum plan_origin, const struct settings *,
    const struct network *, const struct pipeline *, struct place at);
/*
 * Return the plan with KIND[kind] layers of each kind per piece. FIRST: the order of kinds within a piece. The plan
 * also gets the lists of the settings.
 */
struct plan strategy_from_kinds(const char *name, enum plan_origin, const struct settings *,
    const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS], const struct network *,
    const struct pipeline *);
/*
 * Return the plan in which each layer of the model has the recomputation KIND[layer], with the lists for these counts.
 */
struct plan strategy_from_layers(const char *name, enum plan_origin, const struct settings *, const int *kind,
    const struct network *, const struct pipeline *, struct place at);
/*
 * Make a plan with the same number of layers on all pieces. RECOMPUTED: all layers have the kind that keeps least;
 * false: none is recomputed. Return false if the layers cannot be split evenly, or lack figures.
 */
bool strategy_naive(struct plan *, bool recomputed, const struct network *, const struct pipeline *);

/* The strategies of a YAML file, which maps names to settings: see sapp-sim(1). */
struct strategies {
	int n;
	struct plan *plan;
};
struct strategies strategies_read(const struct yaml *file, const struct network *, const struct pipeline *);

#endif
