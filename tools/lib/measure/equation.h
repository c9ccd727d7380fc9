/*
 * The equation of a measured stage, see sapp(7). Peak memory = layers x parameter + (P - s) x sum over kinds of count x
 * activation + constant [+ head on stage 0] [+ tail on stage P - 1].
 */
#ifndef EQUATION_H
#define EQUATION_H

#include "lib/record/recompute.h"

enum unknown {			/* all in MB */
	UNKNOWN_PARAMETER,
	UNKNOWN_ACTIVATION,	/* + enum recompute */
	UNKNOWN_CONSTANT = UNKNOWN_ACTIVATION + RECOMPUTE_BUILT_IN,
	UNKNOWN_HEAD,
	UNKNOWN_TAIL,
	UNKNOWNS
};

extern const char *const unknown_names[UNKNOWNS + 1];

/* Fill ROW with the coefficients of a run without interleaving that has COUNT layers of each kind on STAGE. */
void equation_row(double row[UNKNOWNS], int stage, int stages, const int count[RECOMPUTE_BUILT_IN]);

#endif
