/* Autograd: the forward layer of a backward operation, and recomputation within it. */
#ifndef AUTOGRAD_H
#define AUTOGRAD_H

#include "span_table.h"

struct attribution {
	int instance;		/* -1: none */
	enum timing_phase phase;
};

struct autograd {
	const struct span_table *spans;
	size_t n;
	const struct host_op *at;	/* the recording's, by thread and start */
	uint32_t *thread;	/* [nthreads]: threads that run backwards */
	size_t nthreads;
};

/* Sorts the recording's operations. */
void autograd_init(struct autograd *, struct recording *, const struct span_table *host);
/* Return the layer of what THREAD launched at a time. */
struct attribution autograd_at(const struct autograd *, uint32_t thread, int64_t ns);
bool autograd_thread(const struct autograd *, uint32_t thread);
void autograd_free(struct autograd *);

#endif
