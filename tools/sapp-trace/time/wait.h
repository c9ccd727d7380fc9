/*
 * Waits: collectives within layers, and what of them is waiting for other ranks: by what the profiler says, by the
 * other ranks that were in the same, or by what others of the same operation and group, with as many bytes, take.
 */
#ifndef WAIT_H
#define WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/record/measurement.h"

struct wait {			/* a collective of one rank within a layer */
	int64_t start, end;	/* ns, as far as the layer goes */
	size_t item;		/* which of the kernels it is */
	int owner;		/* whoever reads them says of which layer; -1: of none */
	int class;		/* of the layer */
	int step;
	enum timing_phase phase;
	double alone;		/* ns of it in which nothing else ran */
	int place;		/* among those of its layer */
	/* From here on set by calls_tell(). */
	uint64_t call;		/* the same on every rank that is in it */
	uint64_t like;		/* the same for all of its operation and group; without bytes, in the same place */
	double bytes;		/* 0: not said */
	double time, work;	/* ns; without waiting, 0: not known */
	/* By timings_merge(). */
	size_t sample;
};

struct waits {
	size_t n;
	struct wait *at;
	size_t open;		/* the first of the layer that is being read */
	int64_t kernels, all;	/* up to where its kernels reach, and they and its collectives */
};

/* A layer begins; then its kernels and collectives, by their start. */
void waits_begin(struct waits *, int64_t start);
void waits_kernel(struct waits *, int64_t start, int64_t end);
void waits_call(struct waits *, struct wait);
/* What each works without waiting, of all ranks together. */
void waits_resolve(struct waits *);
/* ns that it waits while nothing else runs. */
double wait_time(const struct wait *);
void waits_free(struct waits *);

#endif
