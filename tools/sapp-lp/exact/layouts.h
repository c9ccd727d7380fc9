/*
 * Layouts: the ways to cut the model into pieces, tried one by one, for the one that exceeds its limits least.  What
 * cannot lead to less than is known already is left out, so that going through all of them is a proof.
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
