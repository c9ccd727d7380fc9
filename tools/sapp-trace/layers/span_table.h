/* Table of spans: find the layer at a time. */
#ifndef SPAN_TABLE_H
#define SPAN_TABLE_H

#include "recording.h"

struct span_table {		/* spans of a thread do not overlap: outermost, bodies before ends */
	size_t n;
	struct host_span *at;
	bool threads;
};

enum span_kind {
	SPANS_OF_THREADS,	/* host spans without a phase */
	SPANS_OF_PHASES,	/* host spans with a phase: for kernels launched meanwhile by any thread */
	SPANS_OF_DEVICE,
};

/* Number spans without a number by their order: layers of a step, for each of its MICRO micro-batches (0: one). */
void span_number(struct recording *, const struct steps *, int micro);
/* Creates instances for the spans kept. */
void span_table_init(struct span_table *, const struct recording *, enum span_kind, struct instances *,
    struct place at);
/* Return the span of THREAD at a time, or NULL. */
const struct host_span *span_at(const struct span_table *, uint32_t thread, int64_t ns);
void span_table_free(struct span_table *);

#endif
