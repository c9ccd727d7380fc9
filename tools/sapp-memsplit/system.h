/* System: one equation for every measured stage of every round, and the unknowns they are solved for. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "lib/equation.h"
#include "lib/initfile.h"

struct measured {
	struct place place;
	int round, stage;
	double memory;		/* MB */
};

/* Whether const is solved for; a constant nobody can tell apart is left at 0, and that is said. */
enum constant { CONSTANT_UNKNOWN, CONSTANT_TOO_FEW, CONSTANT_AMBIGUOUS };

struct system {
	const struct initfile *init;
	int m;
	struct measured *measured;	/* [m], by round and stage */
	double (*row)[UNKNOWNS];	/* [m] */
	int n;
	enum unknown unknown[UNKNOWNS];	/* [n], those solved for */
	enum constant constant;
	int middle, middle_needed;	/* measurements of stages that are neither first nor last */
};

/* The measurements are the system's from now on. */
struct system system_new(const struct initfile *, struct measured *, int m);
void system_free(struct system *);

/* Coefficients and memories for leastsquares_solve(): [m][n] and [m]. */
double *system_matrix(const struct system *);
double *system_memory(const struct system *);
/* Leave UNKNOWN out: it is held at 0. */
void system_drop(struct system *, enum unknown);
/* Layers of each kind at a measurement. */
void system_counts(const struct system *, int round, int stage, int count[RECOMPUTE_KINDS]);

#endif
