/*
 * Layouts: assignments of consecutive layers to pieces, enumerated depth first for the one that exceeds the memory
 * limits by least, MB.  A partial layout is pruned when a stage exceeds its limit by as much as the best layout known,
 * even with the lightest layer in its later pieces and everything recomputed.  When the enumeration ends, no plan
 * exceeds the limits by less: a proof, up to the rounding that proof_limit() and excess_close() allow for.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "sapp-lp/model/problem.h"

/*
 * Look for the layout, every layer recomputed as far as it goes, that exceeds the limits by least, and by less than
 * *MB, that of the best one known (INFINITY: none). *MB and LAYERS[pieces] become those of the best one found. Stops at
 * one that exceeds by ENOUGH MB or less, and after so many TRIES or at DEADLINE (s of clock.h). True when there is none
 * better, or when that one was found.
 */
bool layouts_least(const struct problem *, long tries, double deadline, double enough, double *mb, int *layers);

#endif
