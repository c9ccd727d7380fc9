/* Tally: time of each instance, phase and step in one timeline. */
#ifndef TALLY_H
#define TALLY_H

#include "lib/record/measurement.h"
#include "instance.h"
#include "step.h"
#include "wait.h"

enum { PHASES_TIMED = TIMING_WEIGHT + 1 };

struct tally_cell {
	double time;	/* ns of wall time */
	double busy;	/* ns with kernels */
	double idle;	/* ns without kernels and communication */
	double events;
	double passes;	/* number of micro-batches that passed through the layer; 0: unknown */
};

struct step_tally {
	int instances, steps;
	struct tally_cell *cell;
	bool *counted;		/* [steps], whether the step counts */
	int ncounted;
	struct waits waits;	/* collectives; their owners are instances */
	bool busy;		/* whether the time with kernels is known, not only the time of scopes */
};

/* Create an empty tally. Exits, naming AT, if the instances and steps are too many. */
void tally_init(struct step_tally *, int instances, int steps, struct place at);
/* Add a cell. Ignored if STEP is -1, which is outside of all steps. */
void tally_add(struct step_tally *, int step, int instance, enum timing_phase, struct tally_cell);
struct tally_cell *tally_at(const struct step_tally *, int instance, enum timing_phase, int step);
/* Choose the steps that count: the steps in the given range, or the complete and steady steps. */
void tally_choose(struct step_tally *, const struct steps *, struct step_range, bool cut, struct place at);
/* Choose among the GOOD [steps] steps, if it is unknown how steps were found. ASKED: the range of -steps. */
void tally_choose_of(struct step_tally *, const bool good[], struct step_range asked, struct place at);
void tally_free(struct step_tally *);

#endif
