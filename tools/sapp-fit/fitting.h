/* Fitting: explain numbers of the runs of one regime by their factors. */
#ifndef FITTING_H
#define FITTING_H

#include "coverage.h"
#include "doubt.h"

struct series {			/* one number for each run that has it */
	int n;
	double *v, (*x)[FACTORS];
};

struct fitting {
	FILE *out;
	size_t n;
	const struct observed_run **run;	/* the runs, of one regime */
	struct place_of at;
	size_t nfound;
	struct power *found;	/* exponents found so far */
	struct doubts doubts;
	size_t ntold, nkernels;
	struct told_size *told;	/* dimensions of kernels, the aligned kernels, that are determined */
	const struct observed_kernel **kernel;
};

void series_add(struct series *, double v, const struct observed_run *);
void series_free(struct series *);

/*
 * Explain the numbers of S, named OF, within SLACK. If they determine the exponents, set *POWER and return true. ROWS:
 * the numbers may be rows of experts, which are uneven.
 */
bool fitting_explain(struct fitting *, const char *of, const struct series *, double slack, bool rows,
    struct power *);
/* Exit if runs I and K have equal factors but different sizes X and Y, because then they are of different networks. */
void fitting_same_network(const struct fitting *, size_t i, size_t k, const struct record *a, const struct record *b,
    double x, double y);
/*
 * Align the operators of all runs with those of the run with the most operators, and return the index of this run. OF:
 * [runs], indices of operators of each run; caller frees.
 */
size_t fitting_align(const struct fitting *, const struct fit_row *rows, bool tensors, int **of);
void fitting_rows_free(const struct fitting *, struct fit_row *rows, int **of);

#endif
