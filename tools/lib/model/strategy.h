/* Strategies: plans made from settings instead of a search, for comparison. */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "lib/yaml/settings.h"
#include "network.h"

/*
 * Return the plan of the settings. The first layers of a piece are recomputed, costlier kinds first. Exits, naming AT,
 * if the settings do not fit the network.
 */
struct plan strategy_from_settings(const char *name, enum plan_origin, const struct settings *,
    const struct network *, const struct pipeline *, struct place at);
/* Return the plan of counts KIND[kinds] per piece, kinds in the order FIRST, with the lists of the settings. */
struct plan strategy_from_kinds(const char *name, enum plan_origin, const struct settings *,
    const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS], const struct network *,
    const struct pipeline *);
/* Return the plan of KIND[layers] for each layer of the model, with the lists of its counts. */
struct plan strategy_from_layers(const char *name, enum plan_origin, const struct settings *, const int *kind,
    const struct network *, const struct pipeline *, struct place at);
/*
 * Make even layers, all RECOMPUTED by the kind that keeps least, or none. Return false if they cannot be even or a
 * layer lacks figures.
 */
bool strategy_naive(struct plan *, bool recomputed, const struct network *, const struct pipeline *);

/* The strategies of a YAML file: a map from names to settings, see sapp-sim(1). */
struct strategies {
	int n;
	struct plan *plan;
};
struct strategies strategies_read(const struct yaml *file, const struct network *, const struct pipeline *);

#endif
