/* Fitting the runs of one regime: numbers of its runs, explained by their factors. */
#ifndef FITTING_H
#define FITTING_H

#include "coverage.h"
#include "doubt.h"

struct series {			/* one number per run that has it */
	int n;
	double *v, (*x)[FACTORS];
};

struct fitting {
	FILE *out;
	size_t n;
	const struct observed_run **run;	/* of one regime */
	struct place_of at;
	size_t nfound;
	struct power *found;	/* exponents determined so far */
	struct doubts doubts;
	size_t ntold, nkernels;
	struct told_size *told;	/* of KERNELS, the aligned ones */
	const struct observed_kernel **kernel;
};

void series_add(struct series *, double v, const struct observed_run *);
void series_free(struct series *);

/*
 * Explain the numbers of S as OF; return true and set *POWER if determined. ROWS: numbers may be uneven rows of
 * experts.
 */
bool fitting_explain(struct fitting *, const char *of, const struct series *, double slack, bool rows,
    struct power *);
/* Exit if runs I and K have equal factors but different sizes X and Y: they belong to different networks. */
void fitting_same_network(const struct fitting *, size_t i, size_t k, const struct record *a, const struct record *b,
    double x, double y);
/* Align the operators of all runs to the run with most; return its index. OF: [runs] indices each, caller frees. */
size_t fitting_align(const struct fitting *, const struct fit_row *rows, bool tensors, int **of);
void fitting_rows_free(const struct fitting *, struct fit_row *rows, int **of);

#endif
