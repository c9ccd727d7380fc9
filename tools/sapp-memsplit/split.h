/* Split: the memory of each part of the model, solved from the measured peaks. */
#ifndef SPLIT_H
#define SPLIT_H

#include "lib/measure/leastsquares.h"
#include "system.h"

struct split {
	const struct system *system;
	bool robust;
	struct leastsquares fit;	/* with -robust: x and residual of the least absolute deviations */
	double value[UNKNOWNS_MAX];	/* MB; 0 where not solved for */
	bool solved[UNKNOWNS_MAX];
	double *odd;			/* [m], probability that a residual is like the others */
};

/* Least squares, or with ROBUST least absolute deviations. Look at fit.rank before any value. */
struct split split_new(const struct system *, bool robust);
void split_free(struct split *);
/* A residual that stands out of the others. */
bool split_outlier(const struct split *, int i);

#endif
