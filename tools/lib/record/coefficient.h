/* Records of what small runs determine, and what they do not. */
#ifndef COEFFICIENT_H
#define COEFFICIENT_H

#include "training_run.h"

enum coefficient_source { FROM_MEASURED, FROM_FITTED };

struct coefficient_term {	/* value times the factors to their exponents */
	uint64_t given;
	double value;
	struct amounts exponents;
};

struct coefficient {
	uint64_t given;
	char *of;
	char *run;		/* that it is of alone */
	char *layer, *type;
	int part, phase, order;	/* as of kernels */
	char *tensor;		/* "input" or "output", */
	int index, axis;	/* which, and which dimension of it */
	int op, nodes, members;
	struct array terms;	/* of struct coefficient_term */
	struct table knots;	/* [n][2]: bytes, ms */
	struct amounts regime;	/* 1, or 2 for more, of tp, cp, ep and pp */
	int source;
	double error;		/* relative standard deviation */
	int runs;
	struct amounts valid;	/* what of each factor the runs had, if all had the same */
	double left_out;	/* relative, the largest with one left out */
};

struct doubt {
	uint64_t given;
	char *of, *layer;
	int part, phase;
	struct texts factors;
	char *why;
	int count;		/* dimensions that are concerned */
	struct training_run run;	/* that would tell */
};

extern const struct fields coefficient_fields, doubt_fields;

void coefficient_check(struct coefficient *, struct place);

#endif
