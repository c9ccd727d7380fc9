/* Which operators to measure on one device: those that the estimates of candidates rest on and no table has. */
#ifndef WANTED_OPERATORS_H
#define WANTED_OPERATORS_H

#include "lib/strategy/estimator.h"
#include "lib/strategy/operator_cost.h"

struct wanted_operator {
	struct device_operator of;
	double share;		/* of the step, the most of any candidate */
	int candidates;		/* number of those that need it */
	int last;		/* the last of them, from 1 */
	double worth;		/* sum over candidates of (share x error)^2 */
};

/* One candidate's share of a question that is open. */
struct open_share {
	int candidate, question;
	double share;		/* of the time of layers and ends */
};

struct wanted_operators {
	const struct architecture *net;	/* of the last candidate */
	int n, candidates;
	struct wanted_operator *at;
	int nopen;
	struct open_share *open;
};

/* Add the operators that C, estimated by E, needs and that are not in the table. */
void wanted_operators_take(struct wanted_operators *, struct estimator *e, const struct configuration *c,
    const struct estimating *, const struct architecture *, const struct cluster *);
/*
 * Print questions as operator records, the largest worth first, until those left make up at most UNTIL (fraction) of
 * the time of any candidate's layers and ends. Returns their number.
 */
int wanted_operators_write(struct wanted_operators *, double until, const char *device, FILE *);
void wanted_operators_free(struct wanted_operators *);

#endif
