/* Coverage: the fraction of a candidate's kernels with measured times, predicted shapes, or neither. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "known.h"

/* A determined dimension of an aligned kernel, in kernel order. */
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
		double operators[3], time[3];	/* by enum figure_source */
	} *sum;				/* for the regime that covers most */
};

/* Add the coverage of KERNELS, of runs like FIRST, to each candidate with the same tp, cp and ep. */
void coverage_add(struct coverages *, const struct observed_run *first, size_t n, const struct observed_kernel *const *,
    size_t ntold, const struct told_size *);
void coverage_write(FILE *, const struct coverages *);

#endif
