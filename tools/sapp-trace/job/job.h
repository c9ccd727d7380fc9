/* Job: what the files beside a profile say of the run it is from. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>

#include "lib/base/place.h"

struct job {
	int rank, stage, stages;	/* -1: not said */
	int tp, cp, ep, dp, world;	/* 0: not said */
};

/* Of the directory that FILE lies in, or the one above: profiler_metadata.json, else the rank in the names. */
struct job job_of(const char *file);
/* The same from the N bytes of TEXT, which were read at AT; exits on what is no such file. */
void job_parse(struct job *, const char *text, unsigned long n, struct place at);
/* What distributedInfo of PyTorch's profiler, TEXT, says, as far as it says anything. */
void job_distributed(struct job *, const char *text);
/* NAME beside FILE, to be freed; NULL: there is none. */
char *job_beside(const char *file, const char *name);

#endif
