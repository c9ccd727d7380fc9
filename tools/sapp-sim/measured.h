/* Measured: a real run, from the records of sapp-trace and sapp-memsplit. */
#ifndef MEASURED_H
#define MEASURED_H

#include "lib/record/record.h"

struct measured_replay {		/* a step of a pipeline, replayed by the chunks record of that name */
	char *name;
	double step, pipeline, transfer;	/* as in struct sim_measured */
};

struct sim_measured {
	const char *path;
	int stages;			/* array size: the highest stage + 1 */
	/* NAN: not measured. */
	double step, pipeline;		/* ms, of the whole run */
	double transfer;		/* ms to the next stage */
	double *own;			/* ms, [stage]: from a rank's first operation to the end of its last */
	double *forward, *backward;	/* ms per step, [stage] */
	double *peak;			/* MB, [stage] */
	enum peak_which which;		/* of the peaks */
	int replays;
	struct measured_replay *replay;	/* [replays], sorted by name */
};

/*
 * Read PATH. Exits if it has neither step nor peak records. WHICH: peaks to use; -1: device peaks if known, else memory
 * in use.
 */
struct sim_measured measured_read(const char *path, int which);
/* Return the step of that name, or NULL. */
const struct measured_replay *measured_find(const struct sim_measured *, const char *name);
void measured_steps_free(struct sim_measured *);

#endif
