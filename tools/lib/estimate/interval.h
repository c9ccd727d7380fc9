/* Uncertainty of an estimated step, from the resources that limit its parts. */
#ifndef INTERVAL_H
#define INTERVAL_H

#include "estimator.h"

/* The values of enum layer_share, then communication. */
enum bounded { BY_MATMUL, BY_ATTENTION, BY_MEMORY, BY_HOST, BY_ALLTOALL, BY_NETWORK, BOUNDED };

struct interval {
	double share[BOUNDED];	/* fraction of the step; idle time is distributed over the rest */
	double low, high;	/* s: nine of ten steps lie in this range */
	double error;		/* standard deviation of the logarithm, as of a normal distribution */
};
/*
 * Change of the logarithm of the step when a figure is off by its standard deviation; figures of the same runs move
 * together.
 */
struct swings {
	double layers, optimizer, replicas;	/* layers with their ends, replicas with messages of stages */
};
struct swings interval_swings(const struct appraisal *);
struct interval interval_of(const struct appraisal *);
/* Return the standard deviation of the logarithm of the step's error. */
double interval_deviation(const struct appraisal *);
/* A step predicted from other runs: squared error of the logarithm, its variance, and the variance without distance. */
struct trial {
	double off, all, alike;
};
/* Return the factor, 0.3 to 3, of errors per unit of distance that puts nine of ten runs inside their interval. */
double interval_factor(const struct trial *, size_t n, double left);
/* Nine of ten draws of a normal distribution lie within this number of standard deviations. */
#define INTERVAL_NORMAL 1.645

#endif
