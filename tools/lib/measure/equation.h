/*
 * The equation of a measured stage s of P, see sapp(7). Its peak memory is layers x parameter + (P - s) x sum over
 * kinds of count x activation + constant. Stage 0 adds head, stage P - 1 adds tail.
 */
#ifndef EQUATION_H
#define EQUATION_H

#include "lib/record/recompute.h"

enum unknown {			/* MB */
	UNKNOWN_PARAMETER,
	UNKNOWN_ACTIVATION,	/* UNKNOWN_ACTIVATION + k is the activation with enum recompute k */
	UNKNOWN_CONSTANT = UNKNOWN_ACTIVATION + RECOMPUTE_BUILT_IN,
	UNKNOWN_HEAD,
	UNKNOWN_TAIL,
	UNKNOWNS
};

extern const char *const unknown_names[UNKNOWNS + 1];

/* Fill ROW with the coefficients for a run without interleaving, in which STAGE has COUNT[kind] layers of each kind. */
void equation_row(double row[UNKNOWNS], int stage, int stages, const int count[RECOMPUTE_BUILT_IN]);

#endif
