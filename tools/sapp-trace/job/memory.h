/* Memory: what the memory_record.csv beside a profile says of peaks, and of the activations that a layer keeps. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdio.h>

#include "job.h"
#include "lib/record/observed.h"
#include "sapp-trace/read/csv.h"
#include "sapp-trace/sequence/layout.h"

struct stage_peak {
	int stage;
	double allocated, reserved;	/* MB, the most of its ranks */
	const char *source;
};

struct memory {
	int n;
	struct stage_peak *at;
	int layers;			/* samples of the activations */
	struct left_behind { int class; double memory; } *activation;	/* [layers]: MB, by each forward of a layer */
	int usages;
	struct observed_usage *usage;	/* by stage, part and phase; run is not set */
};

/* Add what is known of the run that FILE is a profile of; SOURCE must outlive it. Nothing without such a file. */
void memory_add(struct memory *, const struct layout *, struct job, const char *file, const char *source);
/* The same of a memory_record.csv that is open. */
void memory_table(struct memory *, const struct layout *, struct job, struct csv *, const char *source);
/* MB of activations of a layer of that class and a micro-batch, the median; 0: not known. */
double memory_activation(const struct memory *, int class);
/* Peak records: actual is reserved, used is allocated. */
void memory_write(FILE *, const struct memory *);
/* Usage records of RUN. */
void memory_write_usage(FILE *, const struct memory *, const char *run);
void memory_free(struct memory *);

#endif
