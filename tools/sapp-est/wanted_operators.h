/* Operators worth measuring: used by the candidates' estimates but not measured. */
#ifndef WANTED_OPERATORS_H
#define WANTED_OPERATORS_H

#include "lib/estimate/estimator.h"
#include "lib/estimate/operator_cost.h"

struct wanted_operator {
	struct device_operator of;
	double share;		/* maximum fraction of the step over candidates */
	int candidates;		/* number of candidates that need it */
	int last;		/* the last of them, from 1 */
	double worth;		/* sum over candidates of (share x error)^2 */
};

/* A candidate's share of an unmeasured operator. */
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

/* Add the unmeasured operators of C, estimated by E. */
void wanted_operators_take(struct wanted_operators *, struct estimator *e, const struct configuration *c,
    const struct estimating *, const struct architecture *, const struct cluster *);
/*
 * Print questions as operator records by descending worth, until the rest makes up at most UNTIL (fraction) of the time
 * of layers and ends of any candidate. Return their number.
 */
int wanted_operators_write(struct wanted_operators *, double until, const char *device, FILE *);
void wanted_operators_free(struct wanted_operators *);

#endif
