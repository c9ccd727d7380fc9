/* Records of measurements, settings to measure, and fits. */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include "lib/field/field.h"

enum timing_phase { TIMING_FORWARD, TIMING_BACKWARD, TIMING_RECOMPUTE, TIMING_WEIGHT };
enum peak_which { PEAK_ACTUAL, PEAK_USED };
extern const char *const peak_kinds[];

struct timing {
	uint64_t given;
	char *name;		/* layer class, such as LLamaDecodeLayer */
	int phase;		/* enum timing_phase */
	double total;		/* ms of wall time, sum over all counted steps and instances */
	double busy;		/* ms of total during which the device ran kernels */
	double wait;		/* ms in addition to total: waiting in collectives for other ranks */
	int instances;		/* number of layers of that name */
	int events;
	int steps;
	double min, median, max;	/* ms, one instance in one step */
	int stage;		/* the measured stage */
	char *source;
};

/* A measured step: the whole step, or the view of one stage or rank. */
struct measured_step {
	uint64_t given;
	char *name;		/* name of the chunks record that replays it */
	double time;		/* ms, the whole step */
	double pipeline;	/* ms from the first operation of the pipeline to the end of the last */
	int steps;		/* number of steps counted */
	int stage, rank;	/* the observer, if any */
	double before, after;	/* ms outside the pipeline, on this stage */
	struct amounts parts;	/* ms outside the pipeline by part: gradient_reduce, optimizer, ... */
	double transfer;	/* ms of a transfer to the next stage, without waiting */
	char *source;
};

struct peak {
	uint64_t given;
	int stage;
	double memory;		/* MB */
	int which;		/* enum peak_which */
	int round;		/* from 0 */
	double state;		/* MB in use between steps: parameters, gradients and optimizer state */
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
	bool floor;			/* peak at a moment outside the pipeline */
	double left_out;		/* MB predicted from the other measurements; absent: undetermined */
};

struct estimate {
	uint64_t given;
	char *name;		/* name of the unknown, one of unknown_names */
	double value;		/* MB */
	double error;		/* MB, standard error; absent without more measurements than unknowns */
	bool computed;		/* computed from the network's shapes, not fitted to peaks */
};

struct fit {
	uint64_t given;
	int unknowns, rank;
	double condition;		/* of the scaled system; absent if rank < unknowns */
	struct array estimates;		/* of struct estimate; empty if rank < unknowns */
	struct array residuals;		/* of struct residual */
	struct array outliers;		/* of struct residual: outliers */
};

extern const struct fields timing_fields, measured_step_fields, peak_fields, measure_fields, residual_fields,
    estimate_fields,
	fit_fields;

#endif
