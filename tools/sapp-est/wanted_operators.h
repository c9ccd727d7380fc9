/* Wanted operators: unmeasured operators that the estimates of candidates use. */
#ifndef WANTED_OPERATORS_H
#define WANTED_OPERATORS_H

#include "lib/estimate/estimator.h"
#include "lib/estimate/operator_cost.h"

struct wanted_operator {
	struct device_operator of;
	double share;		/* maximum over candidates of the operator's fraction of the step */
	int candidates;		/* number of candidates that use it */
	int last;		/* number of the last candidate that uses it, from 1 */
	double worth;		/* sum over candidates of (share x error)^2 */
};

/* The share of an unmeasured operator in a candidate. */
struct open_share {
	int candidate, question;
	double share;		/* fraction of the time of layers and ends */
};

struct wanted_operators {
	const struct architecture *net;	/* the network of the last candidate */
	int n, candidates;
	struct wanted_operator *at;
	int nopen;
	struct open_share *open;
};

/* Add the unmeasured operators of candidate C, which E estimates. */
void wanted_operators_take(struct wanted_operators *, struct estimator *e, const struct configuration *c,
    const struct estimating *, const struct architecture *, const struct cluster *);
/*
 * Print the operators as operator records, in descending order of worth. Stop when the other operators take at most
 * UNTIL, a fraction of the time of layers and ends, of any candidate. Return the number printed.
 */
int wanted_operators_write(struct wanted_operators *, double until, const char *device, FILE *);
void wanted_operators_free(struct wanted_operators *);

#endif
