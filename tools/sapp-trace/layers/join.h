/* Join: the layer and phase of each kernel in a profile. */
#ifndef JOIN_H
#define JOIN_H

#include "sapp-trace/read/process.h"
#include "recording.h"

struct joined {			/* a kernel, in order of time */
	const struct host_kernel *kernel;
	int64_t ts;		/* time of its launch, or its start if unknown */
	uint32_t type;		/* in the recording's types: the kernel's, or its collective's */
	uint32_t thread;	/* launching thread */
	uint32_t external;	/* of the launching operator; 0: unknown */
	int32_t instance;	/* -1: of no layer */
	uint8_t phase;		/* enum timing_phase */
	bool linked;		/* its launch was recorded */
	bool backward;		/* launched by a thread that runs backwards */
};

struct join {
	size_t n;
	struct joined *at;
	int micro;		/* forwards of each body layer per step, by its spans; 0: unknown */
};

/*
 * Join the kernels of the busiest device. Spans become instances; MICRO (micro-batches in each of the STEPS, or 0)
 * numbers layers whose spans have no number.
 */
void join_make(struct join *, struct recording *, const struct processes *, const struct steps *, int micro,
    struct instances *, struct place at);
void join_free(struct join *);

#endif
