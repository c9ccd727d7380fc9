/* Join: find the layer and phase of each kernel in a profile. */
#ifndef JOIN_H
#define JOIN_H

#include "sapp-trace/read/process.h"
#include "recording.h"

struct joined {			/* a kernel; joined kernels are in order of time */
	const struct host_kernel *kernel;
	int64_t ts;		/* ns, its launch; if that is unknown, its start */
	uint32_t type;		/* index in the recording's types: type of the kernel, or of its collective */
	uint32_t thread;	/* thread that launched it */
	uint32_t external;	/* identifier of the operator that launched it; 0: unknown */
	int32_t instance;	/* index of its layer; -1: none */
	uint8_t phase;		/* enum timing_phase */
	bool linked;		/* whether its launch was recorded */
	bool backward;		/* whether its launching thread runs backwards */
};

struct join {
	size_t n;
	struct joined *at;
	int micro;		/* number of forwards of each BODY layer per step, from its spans; 0: unknown */
};

/*
 * Join the kernels of the busiest device with layers. Spans become instances. MICRO: number of micro-batches in each of
 * the STEPS; 0: unknown. It gives layers whose spans have no number their number.
 */
void join_make(struct join *, struct recording *, const struct processes *, const struct steps *, int micro,
    struct instances *, struct place at);
void join_free(struct join *);

#endif
