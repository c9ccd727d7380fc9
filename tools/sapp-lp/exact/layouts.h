/*
 * Layouts: assignments of consecutive layers to pieces. They are enumerated depth first for the least excess over the
 * memory limits, MB. A partial layout is pruned if a stage has at least the excess of the best known layout. The stage
 * is then fully recomputed, with the lightest layer in its later pieces. A complete enumeration proves that no plan has
 * less excess, up to the rounding that proof_limit() and excess_close() allow for.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "sapp-lp/model/problem.h"

/*
 * Find the fully recomputed layout with the least excess below *MB, the excess of the best known layout (INFINITY:
 * none). Update *MB and LAYERS[pieces]. Stop at an excess of at most ENOUGH MB, after TRIES, or at DEADLINE (s of
 * clock_now()). Return true if no layout has less excess, or at ENOUGH.
 */
bool layouts_least(const struct problem *, long tries, double deadline, double enough, double *mb, int *layers);

#endif
