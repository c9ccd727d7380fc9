/* Records of the coefficients that small runs determine (coefficient) and leave open (doubt). */
#ifndef COEFFICIENT_H
#define COEFFICIENT_H

#include "training_run.h"

enum coefficient_source { FROM_MEASURED, FROM_FITTED };

struct coefficient_term {	/* value times the product of factor^exponent */
	uint64_t given;
	double value;
	struct amounts exponents;
};

struct coefficient {
	uint64_t given;
	char *of;
	char *run;		/* name of its run, if it holds for a single run */
	char *layer, *type;
	int part, phase, order;	/* as in kernel records */
	char *tensor;		/* "input" or "output" */
	int index, axis;	/* number of a tensor, and of its dimension */
	int op, nodes, members;
	struct array terms;	/* of struct coefficient_term */
	struct table knots;	/* [n][2]: bytes, ms */
	struct amounts regime;	/* for each of tp, cp, ep and pp: 1 if the degree is 1, otherwise 2 */
	int source;
	double error;		/* relative standard deviation */
	int runs;
	struct amounts valid;	/* the factors with equal values in all runs, and these values */
	double left_out;	/* maximum relative change with one run left out */
};

struct doubt {
	uint64_t given;
	char *of, *layer;
	int part, phase;
	struct texts factors;
	char *why;
	int count;		/* number of undetermined dimensions */
	struct training_run run;	/* a run that would determine them */
};

extern const struct fields coefficient_fields, doubt_fields;

void coefficient_check(struct coefficient *, struct place);

#endif
