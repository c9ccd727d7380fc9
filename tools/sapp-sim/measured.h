/* Measured: what is known of a real run, from the records that sapp-trace and sapp-memsplit read. */
#ifndef MEASURED_H
#define MEASURED_H

#include "lib/record/record.h"

struct measured_replay {		/* one step of one pipeline, that a chunks record of the same name replays */
	char *name;
	double step, pipeline, transfer;	/* as below */
};

struct measured {
	const char *path;
	int stages;			/* entries of the arrays: one more than the highest stage that is named */
	/* NAN: not measured. */
	double step, pipeline;		/* ms, of the whole run */
	double transfer;		/* ms from a stage to the next */
	double *own;			/* ms, [stage]: between a rank's first operation and the end of its last */
	double *forward, *backward;	/* ms in a step, [stage] */
	double *peak;			/* MB, [stage] */
	enum peak_which which;		/* that peaks are */
	int replays;
	struct measured_replay *replay;	/* [replays], by name */
};

/*
 * Exits when PATH has neither step nor peak records. WHICH peaks; -1: of the devices, or what was in use if only that
 * is known.
 */
struct measured measured_read(const char *path, int which);
/* The step of that name; NULL: none has it. */
const struct measured_replay *measured_find(const struct measured *, const char *name);
void measured_free(struct measured *);

#endif
