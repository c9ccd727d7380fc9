/* Sample: the runs with their observations. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdio.h>

#include "lib/estimate/factor.h"
#include "lib/record/record.h"

enum { REGIME = 4 };		/* number of degrees in a regime: tp, cp, ep and pp, each 1 or more than 1 */

struct observed_run {
	struct record run;
	double x[FACTORS];
	bool more[REGIME];
	size_t nkernels, ntensors;
	struct record *kernel, *tensor;	/* records of kernels and tensors, in order */
	size_t ntimings;
	struct record *timing;
	/*
	 * In ms, 0 if unknown: the step, maximum over ranks; its pipeline; minimum of the collectives after the
	 * pipeline.
	 */
	double step, pipeline, outside;
};

struct fit_sample {
	size_t n, ncommunications, ncandidates;
	struct observed_run *at;
	struct record *communication;
	struct configuration *candidate;
};

/*
 * Read the files OPERANDS. Write runs and other records to OUT (may be NULL). Layers and jobs after a run are not
 * written, because its coefficients replace them. Exits if kernels have no run.
 */
void sample_read(struct fit_sample *, char *const operands[], FILE *out);
void sample_free(struct fit_sample *);

/* The operators of one part and phase of a class of layers, from one stage, in order. */
struct fit_row {
	size_t n;
	const struct record **at;
	int each;		/* number of calls of an operator that runs once per layer and micro-batch */
};
struct place_of {
	int part, phase;
	const char *layer;	/* NULL: any class */
};
struct fit_row row_kernels(const struct observed_run *, struct place_of);
struct fit_row row_tensors(const struct observed_run *, struct place_of);

/*
 * Return for each of A[n] the index of its match in B[m], or -1; caller frees. The number of matches in order is
 * maximal (Needleman and Wunsch 1970; all gaps cost the same, different types never match).
 */
int *align(size_t n, const char *const a[], size_t m, const char *const b[]);

#endif
