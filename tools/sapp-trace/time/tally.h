/* Tally: time of each instance, phase and step of one timeline. */
#ifndef TALLY_H
#define TALLY_H

#include "sapp-trace/layer/instance.h"
#include "lib/record/measurement.h"
#include "step.h"
#include "wait.h"

enum { PHASES_TIMED = TIMING_WEIGHT + 1 };

struct tally_cell {
	double time;	/* ns of wall time */
	double busy;	/* ns of it in which kernels ran */
	double idle;	/* ns of it in which neither they nor communication did */
	double events;
	double passes;	/* of a micro-batch through the layer; 0: unknown */
};

struct tally {
	int instances, steps;
	struct tally_cell *cell;
	bool *counted;		/* [steps] */
	int ncounted;
	struct waits waits;	/* of collectives; their owners are instances */
	bool busy;		/* known: not where scopes are all there is */
};

/* Exits naming AT when there are too many instances and steps. */
void tally_init(struct tally *, int instances, int steps, struct place at);
/* STEP -1, outside of all: not counted. */
void tally_add(struct tally *, int step, int instance, enum timing_phase, struct tally_cell);
struct tally_cell *tally_at(const struct tally *, int instance, enum timing_phase, int step);
/* Choose the steps to count: those asked for, or the steady ones that are complete. */
void tally_choose(struct tally *, const struct steps *, struct step_range, bool cut, struct place at);
/* The same of steps that are GOOD [steps], where nobody says how they were told. */
void tally_choose_of(struct tally *, const bool good[], struct step_range asked, struct place at);
void tally_free(struct tally *);

#endif
