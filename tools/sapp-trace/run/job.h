/* Job: properties of the run from files next to a profile. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>

#include "lib/base/place.h"

struct trace_job {
	int rank, stage, stages;	/* -1: unknown */
	int tp, cp, ep, dp, world;	/* 0: unknown */
};

/* Read the directory of FILE or its parent: profiler_metadata.json, else the rank in the names. */
struct trace_job job_of(const char *file);
/* Parse the N bytes of TEXT, read at AT; exits on another kind of file. */
void job_parse(struct trace_job *, const char *text, unsigned long n, struct place at);
/* Read distributedInfo of PyTorch's profiler from TEXT, as available. */
void job_distributed(struct trace_job *, const char *text);
/* Return the path of NAME next to FILE (caller frees), or NULL if it does not exist. */
char *job_beside(const char *file, const char *name);

#endif
