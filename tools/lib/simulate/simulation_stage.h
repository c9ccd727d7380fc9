/* The stages of a running simulation. Only the simulation's own files include this. */
#ifndef SIMULATION_STAGE_H
#define SIMULATION_STAGE_H

#include "simulation.h"
#include "waiting.h"

/* Number of loads simulated in one pass. Dependencies are the same under all of them. */
enum { LANES = 1 + SIMULATION_BESIDE };

/* The times of a phase of a piece under one load, ms. */
struct lane {
	double delay, duration;
	double post;		/* time that starting its transfers adds to the stage */
	const double *factor;	/* factors of the duration, by unit; NULL: all 1 */
};

/*
 * A phase of a piece: where its ends are stored, and which ends it needs.
 *
 * If all ends are stored, they are indexed by unit, and negative before the operation runs. If not, forwards and
 * backwards of a piece have ring buffers, since their ends are needed only briefly. An entry has the ends under all
 * loads, then the number of the unit, or -1 if empty. If an end is overwritten before its use, the dependent operation
 * never runs, and the simulation is repeated with longer rings.
 */
struct stage_line {
	double *end;		/* ends of the phase; NULL: nothing depends on them */
	const double *need;	/* ends that it depends on; NULL: none */
	double first, change;	/* MB by which it changes the stage's memory: at its start; in total */
	double transient;	/* MB in use only while an operation runs */
	struct lane lane[LANES];
};

struct stage {
	const struct op *first, *next, *last;
	double clock[LANES];
	double memory, peak;	/* MB of activations on the stage: now; maximum */
	struct stage_line *line;	/* [chunk x PHASES + phase] */
	int wake[2];		/* stages to wake when this one advances; -1: none */
	bool queued;
	uint8_t *cause;		/* by operation; enum cause */
	double fill;		/* ms before its first operation */
	struct waiting waiting;
};

/* Constants that all stages share. */
struct course {
	double together;
	size_t mask;		/* number of units in a ring, minus 1 */
	int lanes;
	bool told;		/* store causes and waiting times instead of ends */
};

typedef bool advance_function(struct stage *, const struct course *);
/*
 * Return a function that runs a stage until the data of its next operation are missing. That function returns whether
 * the stage advanced.
 */
advance_function *stage_advance(const struct course *);

#endif
