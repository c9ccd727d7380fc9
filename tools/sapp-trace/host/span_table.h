/* Table of spans: the layer at a time. */
#ifndef SPAN_TABLE_H
#define SPAN_TABLE_H

#include "recording.h"

struct span_table {		/* spans of a thread do not overlap: the outermost, bodies before ends */
	size_t n;
	struct host_span *at;
	bool threads;
};

enum span_kind {
	SPANS_OF_THREADS,	/* of the host, that say no phase */
	SPANS_OF_PHASES,	/* that do: for kernels launched meanwhile by any thread */
	SPANS_OF_DEVICE,
};

/* Number the spans whose names have none by the order in which they come: layers of a step, micro-batch by micro-batch,
 * of which there are MICRO (0: one) in each step. */
void span_number(struct recording *, const struct steps *, int micro);
/* Instances are made for what is kept. */
void span_table_init(struct span_table *, const struct recording *, enum span_kind, struct instances *,
    struct place at);
/* The span of THREAD at a time; NULL: none. */
const struct host_span *span_at(const struct span_table *, uint32_t thread, int64_t ns);
void span_table_free(struct span_table *);

#endif
