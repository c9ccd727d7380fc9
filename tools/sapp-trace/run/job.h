/* Job: properties of a run, from files next to its profile. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>

#include "lib/base/place.h"

struct trace_job {
	int rank, stage, stages;	/* -1: unknown */
	int tp, cp, ep, dp, world;	/* 0: unknown */
};

/*
 * Read profiler_metadata.json in the directory of FILE or its parent. If it does not exist, take the rank from the
 * names.
 */
struct trace_job job_of(const char *file);
/* Parse the N bytes at TEXT, a profiler_metadata.json that comes from AT. Exits if they are not such a file. */
void job_parse(struct trace_job *, const char *text, unsigned long n, struct place at);
/* Take the members of distributedInfo, which PyTorch's profiler writes, from TEXT, if present. */
void job_distributed(struct trace_job *, const char *text);
/* Return the path of the file NAME next to FILE (caller frees), or NULL if it does not exist. */
char *job_beside(const char *file, const char *name);

#endif
