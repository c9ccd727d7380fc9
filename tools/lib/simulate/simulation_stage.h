/* Stages of a simulation, each with how far it has got. Private to the simulation's own files. */
#ifndef SIMULATION_STAGE_H
#define SIMULATION_STAGE_H

#include "simulation.h"
#include "waiting.h"

/* Loads under which an order runs side by side: what waits for what is the same in all of them. */
enum { LANES = 1 + SIMULATION_BESIDE };

/* Times of one phase of one piece under a load. */
struct lane {
	double delay, duration;
	double post;		/* ms that its transfers take the stage besides */
	const double *factor;	/* of the duration, by unit; NULL: all 1 */
};

/*
 * One phase of one piece: where its ends are written, and those it waits for. Where all are kept, by unit; those that
 * have not run are negative. Where they are not, forwards and backwards of a piece have a ring, for others wait for
 * them for a short while only: ends under all loads, and behind them of which unit, or -1. What is lost before it is
 * asked for never comes, and the run is repeated with longer rings.
 */
struct line {
	double *end;		/* NULL: nobody waits for them */
	const double *need;	/* NULL: waits for none */
	double first, change;	/* of the stage's memory, MB: when it begins, and in all */
	double transient;	/* MB, there only while it runs */
	struct lane lane[LANES];
};

struct stage {
	const struct op *first, *next, *last;
	double clock[LANES];
	double memory, peak;	/* MB of activations, at the clock and at most */
	struct line *line;	/* [chunk x PHASES + phase] */
	int wake[2];		/* stages that may go on when this one has; -1: none */
	bool queued;
	uint8_t *cause;		/* of its operations */
	double fill;		/* ms before its first operation */
	struct waiting waiting;
};

/* What is the same for all stages. */
struct course {
	double together;
	size_t mask;		/* units of a ring, less 1 */
	int lanes;
	bool told;		/* causes and waiting, and ends are not kept */
};

typedef bool advance_function(struct stage *, const struct course *);
/* Lets a stage go on until it must wait; true when it went at all. */
advance_function *stage_advance(const struct course *);

#endif
