/*
 * Layouts: assignments of consecutive layers to pieces, enumerated depth first for the one that exceeds the memory
 * limits least (MB).  A partial layout is cut off when a stage exceeds its limit by at least as much as the best one
 * known, even if its later pieces get their lightest layer and everything is recomputed.  So when the enumeration comes
 * to its end, no plan exceeds by less: a proof, up to the rounding that proof_limit() and excess_close() allow for.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "sapp-lp/model/problem.h"

/*
 * Look for a layout, every layer recomputed as far as it goes, with which no stage exceeds its limit by as much as *MB,
 * the least of them all. *MB and LAYERS[pieces] become those of the best one found; *MB is INFINITY where none is known
 * before. Stops at one that exceeds by ENOUGH MB or less, and after so many TRIES or at DEADLINE (s of clock.h).
 * True when there is no better one, or when one was found that is good enough.
 */
bool layouts_least(const struct problem *, long tries, double deadline, double enough, double *mb, int *layers);

#endif
