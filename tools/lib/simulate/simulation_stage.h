/* Stages of a simulation with their progress. Private to the simulation's files. */
#ifndef SIMULATION_STAGE_H
#define SIMULATION_STAGE_H

#include "simulation.h"
#include "waiting.h"

/* Loads simulated in the same pass: dependencies are equal for all of them. */
enum { LANES = 1 + SIMULATION_BESIDE };

/* Times of a phase of a piece under a load. */
struct lane {
	double delay, duration;
	double post;		/* ms added to the stage by its transfers */
	const double *factor;	/* factor of the duration, by unit; NULL: all 1 */
};

/*
 * A phase of a piece: where its ends are stored, and the ends it needs. If all are stored: by unit, negative before
 * they run. If not: forwards and backwards of a piece have a ring buffer, since others need them only briefly, with
 * ends under all loads followed by the unit number or -1. If an end is overwritten before use, the dependent never
 * runs, and the simulation repeats with longer rings.
 */
struct stage_line {
	double *end;		/* NULL: nothing depends on them */
	const double *need;	/* NULL: no dependency */
	double first, change;	/* change of the stage's memory, MB: at the start, and in total */
	double transient;	/* MB in use only while it runs */
	struct lane lane[LANES];
};

struct stage {
	const struct op *first, *next, *last;
	double clock[LANES];
	double memory, peak;	/* MB of activations, current and maximum */
	struct stage_line *line;	/* [chunk x PHASES + phase] */
	int wake[2];		/* stages to wake when this one advances; -1: none */
	bool queued;
	uint8_t *cause;		/* by operation */
	double fill;		/* ms before its first operation */
	struct waiting waiting;
};

/* Constants for all stages. */
struct course {
	double together;
	size_t mask;		/* units of a ring, minus 1 */
	int lanes;
	bool told;		/* store causes and waiting, not ends */
};

typedef bool advance_function(struct stage *, const struct course *);
/* Return a function that runs a stage until it must wait; it returns true if the stage advanced. */
advance_function *stage_advance(const struct course *);

#endif
