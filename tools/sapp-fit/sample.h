/* Sample: the runs, with what was observed of each. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdio.h>

#include "lib/strategy/factor.h"
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
	/* ms of its step, the most that ranks saw; its pipeline; the least of collectives behind that; or 0 */
	double step, pipeline, outside;
};

struct sample {
	size_t n, ncommunications, ncandidates;
	struct observed_run *at;
	struct record *communication;
	struct configuration *candidate;
};

/*
 * Read the files of OPERANDS; runs and records of other kinds go to OUT, which may be NULL, but layers and jobs behind
 * a run: they say less of it than its coefficients do. Exits on kernels of no run.
 */
void sample_read(struct sample *, char *const operands[], FILE *out);
void sample_free(struct sample *);

/* Operators of one part and phase of a class of layers, of one stage that has them, in order. */
struct row {
	size_t n;
	const struct record **at;
	int each;		/* calls of one that runs once in each layer and micro-batch */
};
struct place_of {
	int part, phase;
	const char *layer;	/* NULL: any */
};
struct row row_kernels(const struct observed_run *, struct place_of);
struct row row_tensors(const struct observed_run *, struct place_of);

/*
 * Which of B [m] stands for each of A [n], -1: none, as TYPES say, so that as many as can are there in order (Needleman
 * and Wunsch 1970, gaps cost the same, other types do not match). To be freed.
 */
int *align(size_t n, const char *const a[], size_t m, const char *const b[]);

#endif
