/* Records of measurements (timing, step, peak), of settings to measure (measure), and of fits (fit). */
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
	double total;		/* ms of wall time, summed over all counted steps and layers */
	double busy;		/* ms of total during which the device ran kernels */
	double wait;		/* ms that collectives waited for other ranks; not part of total */
	int instances;		/* number of layers of that name */
	int events;
	int steps;
	double min, median, max;	/* ms of one layer in one step */
	int stage;		/* the measured stage */
	char *source;
};

/* A measured step, as a whole or as one stage or rank recorded it. */
struct measured_step {
	uint64_t given;
	char *name;		/* name of the chunks record that repeats the step */
	double time;		/* ms, the whole step */
	double pipeline;	/* ms from the first operation of the pipeline to the end of the last */
	int steps;		/* number of steps that the times average over */
	int stage, rank;	/* the stage and rank that recorded the step; absent: the whole step was recorded */
	double before, after;	/* ms of this stage before and after the pipeline */
	struct amounts parts;	/* ms outside the pipeline by part: "gradient_reduce", "optimizer", ... */
	double transfer;	/* ms of a transfer to the next stage, without waiting for its partner */
	char *source;
};

struct peak {
	uint64_t given;
	int stage;
	double memory;		/* MB */
	int which;		/* enum peak_which */
	int round;		/* round of measurements, from 0 */
	double state;		/* MB in use between steps: parameters, gradients and optimizer state */
	char *source;
};

struct measure {		/* settings to measure with a dryrun; lists are flat [stage] */
	uint64_t given;
	int round;
	struct grid offset, recompute, select_recompute, select_comm_recompute;
};

struct residual {
	uint64_t given;
	int stage, round;
	double measured, predicted;	/* MB */
	bool floor;			/* the peak is at a moment outside the pipeline */
	double left_out;	/* MB predicted from all other measurements; absent: these leave it undetermined */
};

struct estimate {
	uint64_t given;
	char *name;		/* name of the unknown, from unknown_names */
	double value;		/* MB */
	double error;		/* MB, standard error; needs more measurements than unknowns, otherwise absent */
	bool computed;		/* computed from the network's shapes instead of fitted to peaks */
};

struct fit {
	uint64_t given;
	int unknowns, rank;
	double condition;		/* condition number of the scaled system; absent if rank < unknowns */
	struct array estimates;		/* of struct estimate; empty if rank < unknowns */
	struct array residuals;		/* of struct residual */
	struct array outliers;		/* of struct residual: the outliers */
};

extern const struct fields timing_fields, measured_step_fields, peak_fields, measure_fields, residual_fields,
    estimate_fields,
	fit_fields;

#endif
