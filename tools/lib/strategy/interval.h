/* How far from its estimate a step may be, by what bounds its parts. */
#ifndef INTERVAL_H
#define INTERVAL_H

#include "estimator.h"

/* As enum layer_share, and then what devices do together. */
enum bounded { BY_MATMUL, BY_ATTENTION, BY_MEMORY, BY_HOST, BY_ALLTOALL, BY_NETWORK, BOUNDED };

struct interval {
	double share[BOUNDED];	/* of the step; what is idle goes with the rest */
	double low, high;	/* s: nine of ten steps are between them */
	double error;		/* standard deviation of the logarithm, as if that were a normal one */
};
/* What each moves the logarithm of the step, off by its standard deviation; those of the same runs together. */
struct swings {
	double layers, optimizer, replicas;	/* layers with their ends, replicas with messages of stages */
};
struct swings interval_swings(const struct appraisal *);
struct interval interval_of(const struct appraisal *);
/* Standard deviation of the logarithm of the step's error. */
double interval_deviation(const struct appraisal *);
/* A step by what other runs say: squares of what its logarithm is off, and its variance, and that without distance. */
struct trial {
	double off, all, alike;
};
/* Of what runs are off a unit of distance further: with how much of it nine of ten are inside, 0.3 to 3. */
double interval_factor(const struct trial *, size_t n, double left);
/* So many standard deviations of a normal distribution enclose nine of ten. */
#define INTERVAL_NORMAL 1.645

#endif
