/* The comparison record: what was predicted of a run beside what was measured of it. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "lib/field/field.h"

enum compared_figure {
	COMPARED_STEP,		/* ms, the whole step */
	COMPARED_PIPELINE,	/* ms, from the first operation to the end of the last */
	COMPARED_OUTSIDE,	/* ms, the rest of the step */
	COMPARED_FORWARD,	/* ms in a step, of a stage's forwards */
	COMPARED_BACKWARD,	/* and of its backwards */
	COMPARED_TRANSFER,	/* ms from one stage to the next */
	COMPARED_PEAK,		/* MB */
	COMPARED_FIGURES
};
extern const char *const compared_names[];

struct compared {
	uint64_t given;
	int figure;		/* enum compared_figure */
	int stage;		/* absent: of the whole run */
	double measured, predicted;
	double error;		/* predicted over measured, less 1; absent: nothing was measured as 0 */
	double low, high;	/* ms, within which eight of ten steps are predicted; absent: no step was drawn */
};

struct comparison {
	uint64_t given;
	char *name;		/* of what was simulated */
	struct array figures;	/* of struct compared */
	char *cause;		/* where the error of the step comes from, and the largest of all, in words */
};

extern const struct fields compared_fields, comparison_fields;

#endif
