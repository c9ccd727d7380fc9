/* Records of what was measured, what to measure, and how well it fitted. */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include "field.h"

enum timing_phase { TIMING_FORWARD, TIMING_BACKWARD, TIMING_RECOMPUTE };
enum peak_which { PEAK_ACTUAL, PEAK_USED };

struct timing {
	uint64_t given;
	char *name;		/* layer class: LLamaDecodeLayer */
	int phase;		/* enum timing_phase */
	double total;		/* ms, over all counted steps and instances */
	int instances;		/* different layers of that name */
	int events;
	int steps;
	double min, median, max;	/* ms, one instance in one step */
	char *source;
};

struct peak {
	uint64_t given;
	int stage;
	double memory;		/* MB */
	int which;		/* enum peak_which */
	int round;		/* from 0 */
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
};

struct estimate {
	uint64_t given;
	char *name;		/* one of unknown_names */
	double value;		/* MB */
	double error;		/* MB, standard error; absent when there are no more measurements than unknowns */
};

struct fit {
	uint64_t given;
	int unknowns, rank;
	double condition;		/* of the scaled system; absent when rank < unknowns */
	struct array estimates;		/* of struct estimate; none when rank < unknowns */
	struct array residuals;		/* of struct residual */
	struct array outliers;		/* of struct residual: those that stand out of the others */
};

extern const struct fields timing_fields, peak_fields, measure_fields, residual_fields, estimate_fields, fit_fields;

#endif
