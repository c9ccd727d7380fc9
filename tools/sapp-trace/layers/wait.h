/*
 * Waits: collectives within layers, and their waiting for other ranks: from the profiler, from the other ranks in the
 * same collective, or from similar ones (operation, group, bytes).
 */
#ifndef WAIT_H
#define WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/record/measurement.h"

struct wait {			/* a collective of one rank within a layer */
	int64_t start, end;	/* ns, clipped to the layer */
	size_t item;		/* index of the kernel */
	int owner;		/* layer, numbered by the reader; -1: none */
	int class;		/* of the layer */
	int step;
	enum timing_phase phase;
	double alone;		/* ns while nothing else ran */
	int place;		/* number among those of its layer */
	/* Set by calls_tell(): */
	uint64_t call;		/* equal on every rank in it */
	uint64_t like;		/* equal for its operation and group; without bytes, also its place */
	double bytes;		/* 0: unknown */
	double time, work;	/* ns; without waiting, 0: unknown */
	/* Set by timings_merge(): */
	size_t sample;
};

struct waits {
	size_t n;
	struct wait *at;
	size_t open;		/* first one of the current layer */
	int64_t kernels, all;	/* end of its kernels; end of kernels and collectives */
};

/* Begin a layer; then add its kernels and collectives by start. */
void waits_begin(struct waits *, int64_t start);
void waits_kernel(struct waits *, int64_t start, int64_t end);
void waits_call(struct waits *, struct wait);
/* Compute the time of each without waiting, from all ranks. */
void waits_resolve(struct waits *);
/* Return the ns of waiting while nothing else runs. */
double wait_time(const struct wait *);
void waits_free(struct waits *);

#endif
