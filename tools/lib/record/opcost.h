/*
 * The opcost record: statistics of equal kernels over all runs. The coverage record: how well a candidate's kernels are
 * known.
 */
#ifndef OPCOST_H
#define OPCOST_H

#include "lib/field/field.h"

struct opcost {
	uint64_t given;
	char *type, *input, *output;	/* type of the kernel, shapes of its inputs and outputs */
	struct texts dtype;
	char *core, *device;
	double calls, sum;		/* number of calls; ns, whole numbers */
	double min, max;
	struct amounts bins;		/* number of calls in each bin, by floor(ln(ns) / ln(1.05)) */
};

struct coverage {
	uint64_t given;
	char *name;
	/* fractions of the operators and of the time that are measured, fitted and computed */
	struct amounts operators, time;
};

extern const struct fields opcost_fields, coverage_fields;

#endif
