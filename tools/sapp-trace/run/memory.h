/* Memory: peaks, and activations kept by a layer, from the memory_record.csv next to a profile. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdio.h>

#include "lib/record/observed.h"
#include "sapp-trace/layers/layout.h"
#include "sapp-trace/read/csv.h"
#include "job.h"

struct stage_peak {
	int stage;
	double allocated, reserved;	/* MB, maximum over its ranks */
	const char *source;
};

struct memory {
	int n;
	struct stage_peak *at;
	int layers;			/* number of samples of activations */
	struct left_behind { int class; double memory; } *activation;	/* [layers]: MB, per forward of a layer */
	int usages;
	struct observed_usage *usage;	/* sorted by stage, part and phase; run is unset */
};

/* Add the memory of the run that FILE profiles, if it has such a file; SOURCE must outlive it. */
void memory_add(struct memory *, const struct layout *, struct trace_job, const char *file, const char *source);
/* Do the same for an open memory_record.csv. */
void memory_table(struct memory *, const struct layout *, struct trace_job, struct csv *, const char *source);
/* Return the median MB of activations per layer of a class and micro-batch; 0 if unknown. */
double memory_activation(const struct memory *, int class);
/* Write peak records: actual is reserved, used is allocated. */
void memory_write(FILE *, const struct memory *);
/* Write usage records of RUN. */
void memory_write_usage(FILE *, const struct memory *, const char *run);
void memory_free(struct memory *);

#endif
