/* The opcost record: what all runs say of one kind of kernels; and which of a candidate's are known. */
#ifndef OPCOST_H
#define OPCOST_H

#include "lib/field/field.h"

struct opcost {
	uint64_t given;
	char *type, *input, *output;	/* shapes */
	struct texts dtype;
	char *core, *device;
	double calls, sum;		/* ns, whole numbers all of them */
	double min, max;
	struct amounts bins;		/* calls by the whole part of ln(ns) / ln(1.05) */
};

struct coverage {
	uint64_t given;
	char *name;
	struct amounts operators, time;	/* shares of measured, fitted and computed */
};

extern const struct fields opcost_fields, coverage_fields;

#endif
