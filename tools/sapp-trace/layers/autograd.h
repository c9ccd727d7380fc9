/* Autograd: find the forward layer of each backward operation, and recomputation within backwards. */
#ifndef AUTOGRAD_H
#define AUTOGRAD_H

#include "span_table.h"

struct attribution {
	int instance;		/* index of the layer; -1: none */
	enum timing_phase phase;
};

struct autograd {
	const struct span_table *spans;
	size_t n;
	const struct host_op *at;	/* operations of the recording, sorted by thread and start */
	uint32_t *thread;	/* [nthreads], threads that run backwards */
	size_t nthreads;
};

/* Set up, and sort the recording's operations. */
void autograd_init(struct autograd *, struct recording *, const struct span_table *host);
/*
 * Return the layer and phase of the kernels that THREAD launches at NS. autograd_thread() returns whether a thread runs
 * backwards.
 */
struct attribution autograd_at(const struct autograd *, uint32_t thread, int64_t ns);
bool autograd_thread(const struct autograd *, uint32_t thread);
void autograd_free(struct autograd *);

#endif
