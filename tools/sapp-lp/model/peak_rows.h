/* Peak rows: the moments at which a stage's memory can be at its maximum. */
#ifndef PEAK_ROWS_H
#define PEAK_ROWS_H

#include "evaluator.h"

/*
 * Return the rows of each stage of a schedule, [stages]. TRANSIENT and KEEPS: see evaluator_new(). Caller frees the
 * lists.
 */
struct rows *peak_rows(const struct schedule *, bool transient, bool keeps);
/* Add a row for a moment outside the pipeline, without memory that depends on micro-batches. */
void rows_add_other(struct rows *, int chunks);

#endif
