/* Split: the memory of each part of the model, solved from measured peaks. */
#ifndef SPLIT_H
#define SPLIT_H

#include "lib/measure/leastsquares.h"
#include "shapes.h"
#include "system.h"

struct split {
	const struct system *system;
	bool robust;
	struct leastsquares fit;	/* with -robust: x and residual minimise absolute deviations */
	double value[UNKNOWNS_MAX];	/* MB; 0 if not solved for */
	bool solved[UNKNOWNS_MAX];
	double computed[UNKNOWNS_MAX];	/* error bound (MB) of values from the network's shapes; 0: from peaks */
	double *odd;			/* [m], probability that a residual belongs to the same population */
};

/* Solve by least squares, or with ROBUST by least absolute deviations. Check fit.rank before using values. */
struct split split_new(const struct system *, bool robust);
void split_free(struct split *);
/*
 * Compute activations of unmeasured kinds from a solved kind plus the difference of their shapes. Their error is at
 * least the fraction SPLIT_SHAPES, and at least the error of the solved kind's own shapes.
 */
void split_compute(struct split *, const struct memsplit_shapes *);
/* Relative error of shapes alone; relative error of shapes that correct a measured value. */
extern const double split_unmeasured, split_shapes;
/* Predict measurement I from the other measurements, MB. Return false if it is undetermined without I. */
bool split_left_out(const struct split *, int i, double *memory);
/* Return whether a residual is an outlier. */
bool split_outlier(const struct split *, int i);

#endif
