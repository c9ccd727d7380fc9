/*
 * The coefficient record: a number fitted to small runs. The doubt record: coefficients that the runs leave
 * undetermined.
 */
#ifndef COEFFICIENT_H
#define COEFFICIENT_H

#include "training_run.h"

enum coefficient_source { FROM_MEASURED, FROM_FITTED };

struct coefficient_term {	/* VALUE times the product of all factor^exponent */
	uint64_t given;
	double value;
	struct amounts exponents;
};

struct coefficient {
	uint64_t given;
	char *of;
	char *run;		/* name of the run; absent: the coefficient holds for all runs */
	char *layer, *type;
	int part, phase, order;	/* as in a kernel record */
	char *tensor;		/* "input" or "output" */
	int index, axis;	/* number of the tensor, number of its dimension */
	int op, nodes, members;
	struct array terms;	/* of struct coefficient_term */
	struct table knots;	/* [n][2]: bytes of a collective, its time in ms */
	struct amounts regime;	/* for each of tp, cp, ep and pp: 1 if the degree is 1, 2 if it is larger */
	int source;
	double error;		/* relative standard deviation */
	int runs;
	struct amounts valid;	/* factors that had the same value in all runs, with this value */
	double left_out;	/* of knots: maximum relative error when one of them is left out */
};

struct doubt {
	uint64_t given;
	char *of, *layer;
	int part, phase;
	struct texts factors;
	char *why;
	int count;		/* number of undetermined combinations of coefficients */
	struct training_run run;	/* a run that would determine them */
};

extern const struct fields coefficient_fields, doubt_fields;

void coefficient_check(struct coefficient *, struct place);

#endif
