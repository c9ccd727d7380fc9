/* Measured: a real run, from records of sapp-trace and sapp-memsplit. */
#ifndef MEASURED_H
#define MEASURED_H

#include "lib/record/record.h"

/* a measured step of a pipeline, replayed by the chunks record with this name */
struct measured_replay {
	char *name;
	double step, pipeline, transfer;	/* see struct sim_measured */
};

struct sim_measured {
	const char *path;
	int stages;			/* size of arrays: the highest stage + 1 */
	/* NAN: not measured. */
	double step, pipeline;		/* ms of the whole run */
	double transfer;		/* ms of a transfer to the next stage */
	/* ms, [stage]: from a rank's first operation to the end of its last operation */
	double *own;
	double *forward, *backward;	/* ms per step, [stage] */
	double *peak;			/* MB, [stage] */
	enum peak_which which;		/* kind of the peaks */
	int replays;
	struct measured_replay *replay;	/* [replays], sorted by name */
};

/*
 * Read the records in PATH. Exits if they include neither step nor peak records. WHICH: kind of peaks to use; -1:
 * device peaks if known, otherwise memory in use.
 */
struct sim_measured measured_read(const char *path, int which);
/* Return the replayed step NAME, or NULL. */
const struct measured_replay *measured_find(const struct sim_measured *, const char *name);
void measured_steps_free(struct sim_measured *);

#endif
