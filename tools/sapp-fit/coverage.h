/* Coverage: the fraction of a candidate's kernels whose times are measured, whose shapes are predicted, or neither. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "known.h"

/* A dimension of an aligned kernel that is determined; in the order of kernels. */
struct told_size {
	const struct observed_kernel *of;
	bool output;
	int index, axis;
	struct power p;
};

struct coverages {
	const struct known *known;
	size_t n;
	const struct configuration *at;	/* [n] */
	struct coverage_sum {
		double operators[3], time[3];	/* [enum figure_source] */
	} *sum;				/* sums, for the regime that covers the candidate best */
};

/*
 * Add the coverage of KERNELS to each candidate that has tp, cp and ep in the regime of FIRST, a run with these
 * kernels.
 */
void coverage_add(struct coverages *, const struct observed_run *first, size_t n, const struct observed_kernel *const *,
    size_t ntold, const struct told_size *);
void coverage_write(FILE *, const struct coverages *);

#endif
