/* The comparison record: predictions for a run next to its measurements. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "lib/field/field.h"

enum compared_figure {
	COMPARED_STEP,		/* ms, the whole step */
	COMPARED_PIPELINE,	/* ms, from the first operation to the end of the last one */
	COMPARED_OUTSIDE,	/* ms, the rest of the step */
	COMPARED_FORWARD,	/* ms per step, forwards of a stage */
	COMPARED_BACKWARD,	/* ms per step, backwards of a stage */
	COMPARED_TRANSFER,	/* ms to the next stage */
	COMPARED_PEAK,		/* MB */
	COMPARED_FIGURES
};
extern const char *const compared_names[];

struct compared {
	uint64_t given;
	int figure;		/* enum compared_figure */
	int stage;		/* absent: the whole run */
	double measured, predicted;
	double error;		/* predicted / measured - 1; absent: measured as 0 */
	double low, high;	/* ms, predicted range of eight in ten steps; absent: steps were not sampled */
};

struct comparison {
	uint64_t given;
	char *name;		/* name of the simulated record */
	struct array figures;	/* of struct compared */
	char *cause;		/* text: the source of the step's error, and the largest error */
};

extern const struct fields compared_fields, comparison_fields;

#endif
