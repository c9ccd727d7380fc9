/* Split: the memory of each part of the model, solved for from the measured peaks. */
#ifndef SPLIT_H
#define SPLIT_H

#include "lib/measure/leastsquares.h"
#include "shapes.h"
#include "system.h"

struct split {
	const struct system *system;
	bool robust;
	struct leastsquares fit;	/* with -robust, x and residual minimise absolute deviations */
	double value[UNKNOWNS_MAX];	/* MB; 0: not solved for */
	bool solved[UNKNOWNS_MAX];
	/* MB, maximum error of values computed from the network's shapes; 0: the value is from peaks */
	double computed[UNKNOWNS_MAX];
	/* [m], probability of a residual this large in the population of the other residuals */
	double *odd;
};

/* Solve by least squares, or with ROBUST by least absolute deviations. Check fit.rank before using the values. */
struct split split_new(const struct system *, bool robust);
void split_free(struct split *);
/*
 * Compute the activations of kinds that were not measured: those of a solved kind, plus the difference of the shapes.
 * The error is at least the fraction split_shapes, and at least the error of the solved kind's own shapes.
 */
void split_compute(struct split *, const struct memsplit_shapes *);
/* Relative error of memory computed from shapes alone; relative error of shapes that correct a measured value. */
extern const double split_unmeasured, split_shapes;
/* Get the prediction of measurement I from the other measurements, MB. Return false if these do not determine it. */
bool split_left_out(const struct split *, int i, double *memory);
/* Return whether the residual of measurement I is an outlier. */
bool split_outlier(const struct split *, int i);

#endif
