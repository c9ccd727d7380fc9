/* The comparison record: predictions for a run next to its measurements. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "lib/field/field.h"

enum compared_figure {
	COMPARED_STEP,		/* ms, whole step */
	COMPARED_PIPELINE,	/* ms, from the first operation to the end of the last one */
	COMPARED_OUTSIDE,	/* ms, step outside the pipeline */
	COMPARED_FORWARD,	/* ms per step, all forwards of a stage */
	COMPARED_BACKWARD,	/* ms per step, all backwards of a stage */
	COMPARED_TRANSFER,	/* ms, one transfer to the next stage */
	COMPARED_PEAK,		/* MB, peak of a stage */
	COMPARED_FIGURES
};
extern const char *const compared_names[];

struct compared {
	uint64_t given;
	int figure;		/* enum compared_figure */
	int stage;		/* absent: figure of the whole run */
	double measured, predicted;
	double error;		/* predicted / measured - 1; absent if measured is 0 */
	/* ms, predicted range that contains eight of ten steps; absent: steps were not sampled */
	double low, high;
};

struct comparison {
	uint64_t given;
	char *name;		/* name of the simulated record */
	struct array figures;	/* of struct compared */
	char *cause;		/* text that names the source of the step's error, and the largest error */
};

extern const struct fields compared_fields, comparison_fields;

#endif
