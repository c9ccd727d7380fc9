/*
 * Waits: collectives within layers, and the time they wait for other ranks. This time is known from the profiler, from
 * the other ranks in the same collective, or from similar collectives (equal in operation, group and bytes).
 */
#ifndef WAIT_H
#define WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/record/measurement.h"

struct wait {			/* a collective of one rank within a layer */
	int64_t start, end;	/* ns, clipped to the layer */
	size_t item;		/* index of its kernel */
	int owner;		/* index of its layer, as the reader numbers layers; -1: none */
	int class;		/* class of the layer */
	int step;
	enum timing_phase phase;
	double alone;		/* ns while nothing else runs */
	int place;		/* number among the collectives of its layer */
	/* The members below are set by calls_tell(). */
	uint64_t call;		/* hash that is equal on all ranks of the collective */
	/* hash that is equal for its operation and group; if bytes are unknown, its place counts also */
	uint64_t like;
	double bytes;		/* 0: unknown */
	double time, work;	/* ns: whole time; time without waiting, 0: unknown */
	/* The members below are set by timings_merge(). */
	size_t sample;
};

struct waits {
	size_t n;
	struct wait *at;
	size_t open;		/* index of the first wait of the current layer */
	int64_t kernels, all;	/* ns: end of the layer's kernels; end of its kernels and collectives */
};

/* Begin a layer. Then add its kernels and collectives in order of start. */
void waits_begin(struct waits *, int64_t start);
void waits_kernel(struct waits *, int64_t start, int64_t end);
void waits_call(struct waits *, struct wait);
/* Compute the time without waiting of each collective, from all ranks. */
void waits_resolve(struct waits *);
/* Return the time of waiting while nothing else runs, ns. */
double wait_time(const struct wait *);
void waits_free(struct waits *);

#endif
