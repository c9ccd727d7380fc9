/* Coverage: which of a candidate's kernels were measured, which have shapes that are told, and which have not. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "known.h"

/* A dimension of an aligned kernel whose power is told, in the order of the kernel's. */
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
	} *sum;				/* of the regime that says most of it */
};

/* How much KERNELS of runs like FIRST say of each candidate of its tp, cp and ep. */
void coverage_add(struct coverages *, const struct observed_run *first, size_t n, const struct observed_kernel *const *,
    size_t ntold, const struct told_size *);
void coverage_write(FILE *, const struct coverages *);

#endif
