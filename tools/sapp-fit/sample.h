/* Sample: the runs with their observations. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdio.h>

#include "lib/estimate/factor.h"
#include "lib/record/record.h"

enum { REGIME = 4 };		/* tp, cp, ep and pp: 1, or more */

struct observed_run {
	struct record run;
	double x[FACTORS];
	bool more[REGIME];
	size_t nkernels, ntensors;
	struct record *kernel, *tensor;	/* in order */
	size_t ntimings;
	struct record *timing;
	/* ms, or 0: the step, maximum over ranks; its pipeline; minimum of collectives after the pipeline. */
	double step, pipeline, outside;
};

struct fit_sample {
	size_t n, ncommunications, ncandidates;
	struct observed_run *at;
	struct record *communication;
	struct configuration *candidate;
};

/*
 * Read the files OPERANDS. Write runs and other records to OUT (may be NULL), except layers and jobs after a run, which
 * its coefficients replace. Exits on kernels without a run.
 */
void sample_read(struct fit_sample *, char *const operands[], FILE *out);
void sample_free(struct fit_sample *);

/* Operators of one part and phase of a layer class, from one stage, in order. */
struct fit_row {
	size_t n;
	const struct record **at;
	int each;		/* calls of an operator that runs once per layer and micro-batch */
};
struct place_of {
	int part, phase;
	const char *layer;	/* NULL: any */
};
struct fit_row row_kernels(const struct observed_run *, struct place_of);
struct fit_row row_tensors(const struct observed_run *, struct place_of);

/*
 * Return, for each of A[n], the matching index in B[m] or -1; caller frees. Maximises in-order matches (Needleman and
 * Wunsch 1970; equal gap costs, different types never match).
 */
int *align(size_t n, const char *const a[], size_t m, const char *const b[]);

#endif
