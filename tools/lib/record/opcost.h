/*
 * The opcost record: statistics of one kind of kernels over all runs. The coverage record: the share of a candidate's
 * kernels that is known.
 */
#ifndef OPCOST_H
#define OPCOST_H

#include "lib/field/field.h"

struct opcost {
	uint64_t given;
	char *type, *input, *output;	/* shapes */
	struct texts dtype;
	char *core, *device;
	double calls, sum;		/* ns, all whole numbers */
	double min, max;
	struct amounts bins;		/* calls by bin floor(ln(ns) / ln(1.05)) */
};

struct coverage {
	uint64_t given;
	char *name;
	struct amounts operators, time;	/* fractions of measured, fitted and computed */
};

extern const struct fields opcost_fields, coverage_fields;

#endif
