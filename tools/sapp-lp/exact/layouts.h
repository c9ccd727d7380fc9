/*
 * Layouts: assignments of consecutive layers to pieces, enumerated depth first for the least excess over the memory
 * limits, MB. A partial layout is pruned if a stage exceeds its limit as much as the best layout known, even with the
 * lightest layer in its later pieces and everything recomputed. A complete enumeration proves that no plan exceeds the
 * limits by less, up to the rounding that proof_limit() and excess_close() allow for.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "sapp-lp/model/problem.h"

/*
 * Search for the fully recomputed layout with the least excess, below *MB, the excess of the best known layout
 * (INFINITY: none). Update *MB and LAYERS[pieces]. Stop at an excess of ENOUGH MB or less, after TRIES, or at DEADLINE
 * (s of clock.h). Return true if no layout has less, or at ENOUGH.
 */
bool layouts_least(const struct problem *, long tries, double deadline, double enough, double *mb, int *layers);

#endif
