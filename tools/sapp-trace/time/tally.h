/* Tally: time of each instance, phase and step of one timeline. */
#ifndef TALLY_H
#define TALLY_H

#include "sapp-trace/layer/instance.h"
#include "lib/record/measurement.h"
#include "step.h"

enum { PHASES_TIMED = TIMING_RECOMPUTE + 1 };

struct tally_cell {
	double time;	/* ns */
	double events;
};

struct tally {
	int instances, steps;
	struct tally_cell *cell;
	bool *counted;		/* [steps] */
	int ncounted;
	double outside;		/* ns of layers outside all steps */
};

/* Exits naming AT when there are too many instances and steps. */
void tally_init(struct tally *, int instances, int steps, struct place at);
void tally_add(struct tally *, const struct steps *, int instance, enum timing_phase, int64_t middle,
    double ns, double events);
struct tally_cell *tally_at(const struct tally *, int instance, enum timing_phase, int step);
/* Choose the steps to count: those asked for, or the steady ones that are complete. */
void tally_choose(struct tally *, const struct steps *, struct step_range, bool cut, struct place at);
void tally_free(struct tally *);

#endif
