/* Join: which layer each kernel of a profile is of, and in which phase. */
#ifndef JOIN_H
#define JOIN_H

#include "recording.h"
#include "sapp-trace/read/process.h"

struct joined {			/* a kernel, in the order of time */
	const struct host_kernel *kernel;
	int64_t ts;		/* when it was launched; its start where nobody says */
	uint32_t type;		/* in the recording's types: the kernel's, or that of the collective that launched it */
	uint32_t thread;	/* that launched it */
	uint32_t external;	/* of the operator that launched it; 0: not said */
	int32_t instance;	/* -1: of no layer */
	uint8_t phase;		/* enum timing_phase */
	bool linked;		/* its launch was recorded */
	bool backward;		/* launched by a thread that runs backwards */
};

struct join {
	size_t n;
	struct joined *at;
	int micro;		/* forwards of each body layer in a step, by its spans; 0: unknown */
};

/* Kernels of the busiest device. Spans become instances; MICRO micro-batches, or 0, in each of the STEPS tell layers
 * apart whose spans have no number. */
void join_make(struct join *, struct recording *, const struct processes *, const struct steps *, int micro,
    struct instances *, struct place at);
void join_free(struct join *);

#endif
