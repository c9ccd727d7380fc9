/* Memory: peaks, and the activations that a layer keeps, from the memory_record.csv next to a profile. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdio.h>

#include "lib/record/observed.h"
#include "sapp-trace/layers/layout.h"
#include "sapp-trace/read/csv.h"
#include "job.h"

struct stage_peak {
	int stage;
	double allocated, reserved;	/* MB, maximum over the stage's ranks */
	const char *source;
};

struct memory {
	int n;
	struct stage_peak *at;
	int layers;			/* number of samples in activation */
	/* [layers]: class, and MB that a forward of one layer leaves */
	struct left_behind { int class; double memory; } *activation;
	int usages;
	struct observed_usage *usage;	/* sorted by stage, part and phase; run is unset */
};

/* Add the memory of the run that FILE profiles, if a memory_record.csv exists. SOURCE must outlive the memory. */
void memory_add(struct memory *, const struct layout *, struct trace_job, const char *file, const char *source);
/* Add the memory from an open memory_record.csv. */
void memory_table(struct memory *, const struct layout *, struct trace_job, struct csv *, const char *source);
/* Return the MB of activations per layer of a class and micro-batch, median over samples; 0 if unknown. */
double memory_activation(const struct memory *, int class);
/* Write peak records. Their member actual is the reserved memory, used is the allocated memory. */
void memory_write(FILE *, const struct memory *);
/* Write usage records of the run named RUN. */
void memory_write_usage(FILE *, const struct memory *, const char *run);
void memory_free(struct memory *);

#endif
