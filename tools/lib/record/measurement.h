/* Records of what was measured, what to measure, and how well it fitted. */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include "lib/field/field.h"

enum timing_phase { TIMING_FORWARD, TIMING_BACKWARD, TIMING_RECOMPUTE, TIMING_WEIGHT };
enum peak_which { PEAK_ACTUAL, PEAK_USED };
extern const char *const peak_kinds[];

struct timing {
	uint64_t given;
	char *name;		/* layer class: LLamaDecodeLayer */
	int phase;		/* enum timing_phase */
	double total;		/* ms of wall time, over all counted steps and instances */
	double busy;		/* ms of it in which the device ran kernels */
	double wait;		/* ms beside it: waiting within collectives for other ranks */
	int instances;		/* different layers of that name */
	int events;
	int steps;
	double min, median, max;	/* ms, one instance in one step */
	int stage;		/* that it was measured on */
	char *source;
};

/* A step of a run as it was measured: all of it, or as one stage or rank saw it. */
struct measured_step {
	uint64_t given;
	char *name;		/* of the chunks record that replays it */
	double time;		/* ms, the whole step */
	double pipeline;	/* ms of it from the first operation of the pipeline to the end of the last */
	int steps;		/* that were counted */
	int stage, rank;	/* that saw it */
	double before, after;	/* ms outside the pipeline, on this stage */
	struct amounts parts;	/* ms outside the pipeline by what they are: gradient_reduce, optimizer, ... */
	double transfer;	/* ms from a stage to the next, without waiting */
	char *source;
};

struct peak {
	uint64_t given;
	int stage;
	double memory;		/* MB */
	int which;		/* enum peak_which */
	int round;		/* from 0 */
	double state;		/* MB in use between steps: parameters, gradients and optimizer */
	char *source;
};

struct measure {		/* settings to dryrun, flat [stage] lists */
	uint64_t given;
	int round;
	struct grid offset, recompute, select_recompute, select_comm_recompute;
};

struct residual {
	uint64_t given;
	int stage, round;
	double measured, predicted;	/* MB */
	bool floor;			/* at another moment than the pipeline's */
	double left_out;		/* MB, what the other measurements say of it; absent: they do not */
};

struct estimate {
	uint64_t given;
	char *name;		/* one of unknown_names */
	double value;		/* MB */
	double error;		/* MB, standard error; absent when there are no more measurements than unknowns */
	bool computed;		/* not from peaks, but from the network's shapes */
};

struct fit {
	uint64_t given;
	int unknowns, rank;
	double condition;		/* of the scaled system; absent when rank < unknowns */
	struct array estimates;		/* of struct estimate; none when rank < unknowns */
	struct array residuals;		/* of struct residual */
	struct array outliers;		/* of struct residual: those that stand out of the others */
};

extern const struct fields timing_fields, measured_step_fields, peak_fields, measure_fields, residual_fields,
    estimate_fields,
	fit_fields;

#endif
