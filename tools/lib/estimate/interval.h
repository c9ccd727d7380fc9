/* The uncertainty of an estimated step, from the resources that limit its parts. */
#ifndef INTERVAL_H
#define INTERVAL_H

#include "estimator.h"

/* Causes of uncertainty: the values of enum layer_share, then communication. */
enum bounded { BY_MATMUL, BY_ATTENTION, BY_MEMORY, BY_HOST, BY_ALLTOALL, BY_NETWORK, BOUNDED };

struct interval {
	double share[BOUNDED];	/* fraction of the step; idle time is divided among the causes in proportion */
	double low, high;	/* s; nine of ten steps are expected in this range */
	double error;		/* standard deviation of the logarithm of the step */
};
/*
 * How much the logarithm of the step changes if a figure is off by its standard deviation. Figures from the same runs
 * err together.
 */
struct swings {
	/* layers: with embedding and head; replicas: their collectives, with transfers between stages */
	double layers, optimizer, replicas;
};
struct swings interval_swings(const struct appraisal *);
struct interval interval_of(const struct appraisal *);
/* Return the standard deviation of the logarithm of an estimated step. */
double interval_deviation(const struct appraisal *);
/*
 * A test: the step of one run, predicted from other runs. OFF: squared error of the logarithm. ALL: its predicted
 * variance. ALIKE: the part of this variance that does not grow with the distance between runs.
 */
struct trial {
	double off, all, alike;
};
/*
 * Return the factor by which errors per unit of distance are multiplied, such that nine of ten runs lie within their
 * intervals. It is between 0.3 and 3. LEFT: standard deviation that the parts of a step do not explain.
 */
double interval_factor(const struct trial *, size_t n, double left);
/* Number of standard deviations within which nine of ten values of a normal distribution lie. */
#define INTERVAL_NORMAL 1.645

#endif
