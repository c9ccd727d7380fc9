/* Split: the memory of each part of the model, solved from the measured peaks. */
#ifndef SPLIT_H
#define SPLIT_H

#include "lib/measure/leastsquares.h"
#include "shapes.h"
#include "system.h"

struct split {
	const struct system *system;
	bool robust;
	struct leastsquares fit;	/* with -robust: x and residual of the least absolute deviations */
	double value[UNKNOWNS_MAX];	/* MB; 0 where not solved for */
	bool solved[UNKNOWNS_MAX];
	double computed[UNKNOWNS_MAX];	/* MB by which it may be off, from the network's shapes; 0: from peaks */
	double *odd;			/* [m], probability that a residual is like the others */
};

/* Least squares, or with ROBUST least absolute deviations. Look at fit.rank before any value. */
struct split split_new(const struct system *, bool robust);
void split_free(struct split *);
/*
 * Activations of kinds that no peak has, by the difference that shapes make to one that was solved. Their error is at
 * least SPLIT_SHAPES of them, and as far as what was solved is from its own shapes.
 */
void split_compute(struct split *, const struct shapes *);
/* What shapes alone may be off, as a share, and those that correct something measured. */
extern const double split_unmeasured, split_shapes;
/* What the others say of measurement I, MB; false: they do not, it alone determines something. */
bool split_left_out(const struct split *, int i, double *memory);
/* A residual that stands out of the others. */
bool split_outlier(const struct split *, int i);

#endif
