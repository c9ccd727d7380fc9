/* Table of spans: finds the layer at a time. */
#ifndef SPAN_TABLE_H
#define SPAN_TABLE_H

#include "recording.h"

/* the spans of a thread do not overlap: only the outermost are kept, and BODY layers take precedence */
struct span_table {
	size_t n;
	struct host_span *at;
	bool threads;
};

enum span_kind {
	SPANS_OF_THREADS,	/* spans of the host without a phase */
	/* spans of the host with a phase; for the kernels that any thread launches in this time */
	SPANS_OF_PHASES,
	SPANS_OF_DEVICE,
};

/*
 * Number the spans without a number by their order, as layers of a step. MICRO: micro-batches per step, each with all
 * layers; 0: one.
 */
void span_number(struct recording *, const struct steps *, int micro);
/* Create the table, and an instance for each layer with a span. */
void span_table_init(struct span_table *, const struct recording *, enum span_kind, struct instances *,
    struct place at);
/* Return the span of THREAD at a time, or NULL. */
const struct host_span *span_at(const struct span_table *, uint32_t thread, int64_t ns);
void span_table_free(struct span_table *);

#endif
