/* Strategies: plans that were not searched for but are made from settings, to compare with. */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "lib/yaml/settings.h"
#include "network.h"

/*
 * The plan that settings amount to. Recomputed layers of a piece are its first ones, the costlier kinds
 * before the cheaper. Exits naming AT when the settings do not fit the network.
 */
struct plan strategy_from_settings(const char *name, enum plan_origin, const struct settings *,
    const struct network *, const struct pipeline *, struct place at);
/* The same with counts KIND[kinds] of each piece, whose kinds come in the order of FIRST; the lists are those given. */
struct plan strategy_from_kinds(const char *name, enum plan_origin, const struct settings *,
    const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS], const struct network *,
    const struct pipeline *);
/* The same with the KIND[layers] of each layer of the model; the lists are those of its counts. */
struct plan strategy_from_layers(const char *name, enum plan_origin, const struct settings *, const int *kind,
    const struct network *, const struct pipeline *, struct place at);
/*
 * Every layer recomputed as far as the network has figures for, or none, on even layers. False when they
 * cannot be even, or a layer has no figure for that.
 */
bool strategy_naive(struct plan *, bool recomputed, const struct network *, const struct pipeline *);

/* The strategies of a YAML file: a map from names to settings, sapp-sim.1. */
struct strategies {
	int n;
	struct plan *plan;
};
struct strategies strategies_read(const struct yaml *file, const struct network *, const struct pipeline *);

#endif
